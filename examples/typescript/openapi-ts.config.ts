import { defineConfig } from "@hey-api/openapi-ts";

export default defineConfig({
  input: "../../openapi/openapi.json",
  // Node runs TypeScript as it is, if imports name files as they are.
  output: { path: "generated/hey-api", module: { extension: ".ts" } },
});
