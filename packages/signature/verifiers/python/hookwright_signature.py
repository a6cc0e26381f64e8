"""Verifies webhook deliveries. Python 3.8 or later, the standard library only."""

import hashlib
import hmac
import json
import re
import time
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple, Union

__all__ = ["SignatureError", "verify"]

_STATUSES = {"no_secret": 500, "invalid_option": 500, "body_not_raw": 500, "invalid_json": 400, "invalid_envelope": 400}


class SignatureError(Exception):
    """Why a delivery was refused. It contains no secret and no expected signature, so it may be logged.

    code: never changes, for example `signature_mismatch`. The readme lists all codes.
    status: the HTTP status to answer with.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.status = _STATUSES.get(code, 401)


Headers = Union[Mapping[str, Any], Iterable[Tuple[Any, Any]]]


def verify(
    body: Union[bytes, bytearray, memoryview, str],
    headers: Headers,
    secrets: Union[str, Iterable[str]],
    tolerance_seconds: float = 300,
    now: Optional[float] = None,
    header_prefix: str = "X-Service",
) -> Dict[str, Any]:
    """Returns the event of a delivery that is genuine. It has `test: True` if it is a test from the console.

    body: the bytes that came, before anything parses them. A text stands for its UTF-8 bytes.
    headers: a mapping, or pairs of name and value; names in any case.
    secrets: the webhook's signing secret, or a list of several while it is being rotated.
    tolerance_seconds: the largest difference between the time of the delivery and `now` (Unix seconds).
    header_prefix: the prefix of the header names, if the sender has one of its own.

    Raises SignatureError.
    """
    raw = _to_bytes(body)
    keys = [secrets] if isinstance(secrets, str) else list(secrets or [])
    # Anybody can sign with an empty key, so it is refused even beside others.
    if not keys or not all(isinstance(key, str) and key for key in keys):
        raise SignatureError("no_secret", "a secret is empty or missing: is its variable set?")
    now = time.time() if now is None else now
    # NaN compares as false with everything.
    if not (_is_number(now) and _is_number(tolerance_seconds) and 0 <= tolerance_seconds and now == now):
        raise SignatureError("invalid_option", "tolerance_seconds or now is negative or not a number")
    if not re.fullmatch("[A-Za-z0-9-]{1,40}", header_prefix):
        raise SignatureError("invalid_option", "header_prefix is not like X-Acme")
    prefix = header_prefix.lower()
    found = _read_headers(headers)

    timestamp = _required(found, f"{prefix}-timestamp")
    signature = _required(found, f"{prefix}-signature")
    if not re.fullmatch("[0-9]+", timestamp):
        raise SignatureError("malformed_header", f"{prefix}-timestamp is repeated or not an integer")
    given = [value for value in map(str.strip, signature.split(",")) if re.fullmatch("v1=[0-9a-f]{64}", value)]
    if not given:
        raise SignatureError("malformed_header", f"{prefix}-signature is not v1= and 64 lower-case hex digits")
    _check_time(float(timestamp), now, tolerance_seconds, prefix)

    message = timestamp.encode() + b"." + raw
    # All are compared, so the time tells nothing.
    digests = [hmac.new(key.encode("utf-8", "surrogateescape"), message, hashlib.sha256).hexdigest() for key in keys]
    matches = [hmac.compare_digest(value[3:], digest) for digest in digests for value in given]
    if not any(matches):
        raise SignatureError("signature_mismatch", _explain_mismatch(raw, keys))
    event = _parse_event(raw)
    if found.get(f"{prefix}-event", event["event"]) != event["event"]:
        raise SignatureError("event_mismatch", f"{prefix}-event is not the event in the body")
    if found.get(f"{prefix}-test") == "1":
        event["test"] = True
    return event


def _to_bytes(body: Any) -> bytes:
    if isinstance(body, str):
        return body.encode("utf-8", "surrogatepass")
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    kind = "missing" if body is None else f"parsed ({type(body).__name__})"
    raise SignatureError("body_not_raw", f"the body is {kind}: pass the bytes that came")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _read_headers(headers: Headers) -> Dict[str, str]:
    """By lower-case name. A repeated header is joined with commas, so a repeated timestamp is no integer."""
    found: Dict[str, str] = {}
    pairs = headers.items() if hasattr(headers, "items") else headers or []
    for name, values in pairs:
        key = _to_text(name).lower()
        for value in values if isinstance(values, (list, tuple)) else [values]:
            found[key] = f"{found[key]},{_to_text(value)}" if key in found else _to_text(value)
    return found


def _to_text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _required(found: Dict[str, str], name: str) -> str:
    if not found.get(name):
        raise SignatureError("missing_header", f"no {name}: pass all headers")
    return found[name]


def _check_time(sent: float, now: float, tolerance_seconds: float, prefix: str) -> None:
    distance = abs(now - sent)
    if distance <= tolerance_seconds:
        return
    milliseconds = 1e11  # later than any date in seconds
    reason = "a replay, or a wrong clock"
    if (now >= milliseconds) != (sent >= milliseconds):
        reason = ("now" if now >= milliseconds else f"{prefix}-timestamp") + " is in milliseconds"
    side = "behind" if now > sent else "ahead of"
    raise SignatureError(
        "timestamp_outside_tolerance",
        f"the timestamp is {distance:.3f} s {side} now, the limit is {tolerance_seconds} s: {reason}",
    )


def _explain_mismatch(raw: bytes, keys: List[str]) -> str:
    if not raw:
        return "the body is empty: it was never read, or something read it before"
    trimmed = ", trimmed" if any(key != key.strip() for key in keys) else ""
    return (
        f"no signature matches: the secret is wrong (pass the whole whsec_ text{trimmed}), "
        "or the body was changed (parsed, re-encoded, or still base64)"
    )


def _parse_event(raw: bytes) -> Dict[str, Any]:
    text = raw.decode("utf-8", "replace")
    try:
        event = json.loads(text[1:] if text.startswith("\ufeff") else text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise SignatureError("invalid_json", "the signature matches, but the body is not JSON") from None
    # {type, timestamp, data, id, project}, the other form that a sender may choose.
    if isinstance(event, dict) and "event" not in event and isinstance(event.get("timestamp"), str):
        event["event"] = event.get("type")
    if (
        isinstance(event, dict)
        and isinstance(event.get("id"), str)
        and isinstance(event.get("event"), str)
        and isinstance(event.get("project"), (dict, list))
        and isinstance(event.get("data"), (dict, list))
    ):
        return event
    raise SignatureError("invalid_envelope", "the signature matches, but the body is not {id, event, project, data}")


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
