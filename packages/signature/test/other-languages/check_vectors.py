"""Checks `authentic` of every vector: python3 check_vectors.py test-vectors.json"""
import base64, json, sys
from verify import verify

def is_authentic(vector):
    body = base64.b64decode(vector["body"]["base64"])
    try:
        return verify(body, vector["headers"], vector["secrets"], vector["toleranceSeconds"], vector["now"])
    except ValueError:
        return False  # no secret, or an empty one

with open(sys.argv[1], encoding="utf-8") as file:
    vectors = json.load(file)["vectors"]
wrong = [vector["name"] for vector in vectors if is_authentic(vector) != vector["authentic"]]
print(f"{len(vectors)} vectors, {len(wrong)} wrong", *wrong, sep="\n")
sys.exit(bool(wrong) or not vectors)
