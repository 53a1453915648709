#!/usr/bin/env python3
"""Receives the notices of a cardroom webhook, checks who sent them, and prints each once.

    SECRET=whsec_… python3 receiver.py 8080

Put it behind a proxy that speaks TLS: messages are sent to https URLs."""

import base64, hashlib, hmac, http.server, json, os, sys, time

key = base64.b64decode(os.environ["SECRET"].removeprefix("whsec_"))
seen = set()  # A real receiver keeps these ids for some days, beside what it does with the messages.


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(min(int(self.headers.get("content-length", 0)), 65536))
        self.send_response(204 if self.is_genuine(body) else 401)
        self.end_headers()

    def is_genuine(self, body):
        name, sent = self.headers.get("webhook-id", ""), self.headers.get("webhook-timestamp", "")
        digest = hmac.digest(key, f"{name}.{sent}.".encode() + body, hashlib.sha256)
        expected = "v1," + base64.b64encode(digest).decode()
        # For a day after the secret was replaced, there are two signatures.
        signatures = self.headers.get("webhook-signature", "").split(" ")
        if not any(hmac.compare_digest(expected, signature) for signature in signatures):
            return False
        # An old message may have been recorded and sent again by somebody else.
        if abs(time.time() - int(sent)) > 300:
            return False
        if name not in seen:
            seen.add(name)
            print(json.dumps(json.loads(body)), flush=True)
        return True

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
