"""Checks `authentic` of every vector: python3 verify.py test-vectors.json"""
import base64, hashlib, hmac, json, re, sys

def is_authentic(vector):
    headers = {}
    for name, value in vector["headers"]:
        headers.setdefault(name.lower(), []).append(value)
    timestamp, signatures = (",".join(headers.get("x-service-" + name, [])) for name in ("timestamp", "signature"))
    if not re.fullmatch("[0-9]+", timestamp) or not all([*vector["secrets"], vector["secrets"]]):
        return False
    message = timestamp.encode() + b"." + base64.b64decode(vector["body"]["base64"])
    expected = ["v1=" + hmac.new(secret.encode(), message, hashlib.sha256).hexdigest() for secret in vector["secrets"]]
    matches = [hmac.compare_digest(given.strip().encode(), one.encode()) for given in signatures.split(",") for one in expected]
    return any(matches) and abs(vector["now"] - int(timestamp)) <= vector["toleranceSeconds"]

vectors = json.load(open(sys.argv[1], encoding="utf-8"))["vectors"]
wrong = [vector["name"] for vector in vectors if is_authentic(vector) != vector["authentic"]]
print(f"{len(vectors)} vectors, {len(wrong)} wrong", *wrong, sep="\n")
sys.exit(bool(wrong))
