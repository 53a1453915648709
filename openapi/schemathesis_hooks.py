"""What schemathesis must be told about this API that an OpenAPI document cannot say."""

import re
from uuid import uuid4

import schemathesis


@schemathesis.hook
def before_call(context, case, kwargs):
    """An idempotency key belongs to one request. A generator repeats its favourites, and is refused rightly."""
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and re.fullmatch("[!-~]{1,64}", key):
        case.headers["Idempotency-Key"] = uuid4().hex


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """OpenAPI 3.1 describes the text of a stream. Schemathesis wants what it makes of an event: strings."""
    schemas = raw_schema["components"]["schemas"]
    for operations in raw_schema["paths"].values():
        for operation in operations.values():
            answer = operation["responses"].get("200", {}).get("content", {}).get("text/event-stream")
            if answer:
                events = schemas[answer["schema"]["contentSchema"]["items"]["$ref"].rpartition("/")[2]]
                variants = [schemas[variant["$ref"].rpartition("/")[2]] for variant in events["oneOf"]]
                answer["schema"] = {"oneOf": [as_received(variant["properties"]) for variant in variants]}


def as_received(event):
    data = {"type": "string", "contentMediaType": "application/json", "contentSchema": event["data"]}
    properties = {"event": event["event"], "id": {"type": "string"}, "data": data}
    return {"type": "object", "required": ["event", "id", "data"], "properties": properties}
