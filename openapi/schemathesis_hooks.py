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
