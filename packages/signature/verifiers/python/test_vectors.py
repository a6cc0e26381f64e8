"""Checks every shared vector: python3 test_vectors.py [test-vectors.json]"""

import base64
import json
import pathlib
import sys

from hookwright_signature import SignatureError, verify


def result_of(vector):
    options = {"header_prefix": vector["headerPrefix"]} if "headerPrefix" in vector else {}
    try:
        event = verify(
            base64.b64decode(vector["body"]["base64"]),
            vector["headers"],
            vector["secrets"],
            tolerance_seconds=vector["toleranceSeconds"],
            now=vector["now"],
            **options,
        )
    except SignatureError as error:
        print(error)
        return {"error": error.code}
    return {"eventId": event["id"], **({"test": True} if event.get("test") else {})}


package = pathlib.Path(__file__).resolve().parents[2]
file = sys.argv[1] if len(sys.argv) > 1 else package / "test-vectors.json"
vectors = json.loads(pathlib.Path(file).read_text("utf-8"))["vectors"]
wrong = [vector["name"] for vector in vectors if result_of(vector) != vector["expected"]]
print(f"{len(vectors)} vectors, {len(wrong)} wrong", *wrong, sep="\n")
sys.exit(bool(wrong) or not vectors)
