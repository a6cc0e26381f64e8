"""Verifies webhook deliveries. Copy this file into your receiver: Python 3.8 or later, nothing to install."""
import hashlib, hmac, re, time

def verify(body, headers, secrets, tolerance_seconds=300, now=None):
    """Whether a delivery is genuine and its time at most `tolerance_seconds` from `now`.

    body: the bytes that came, before anything parses them.
    headers: a mapping, or pairs of name and value; names in any case.
    secrets: a list of the webhook's signing secrets: one, or both while it is being rotated.
    """
    if isinstance(secrets, str) or not secrets or not all(secrets):
        raise ValueError("secrets: pass a list of signing secrets, none of them empty")
    pairs = headers.items() if hasattr(headers, "items") else headers
    values = {"x-service-timestamp": [], "x-service-signature": []}
    for name, value in pairs:
        values.get(name.lower(), []).append(value)
    timestamp, signatures = map(",".join, values.values())
    if not re.fullmatch("[0-9]{1,15}", timestamp):
        return False
    message = timestamp.encode() + b"." + body
    expected = [b"v1=" + hmac.new(secret.encode(), message, hashlib.sha256).hexdigest().encode() for secret in secrets]
    given = [signature.strip().encode() for signature in signatures.split(",")]
    matches = [hmac.compare_digest(one, other) for one in given for other in expected]
    return any(matches) and abs((time.time() if now is None else now) - int(timestamp)) <= tolerance_seconds
