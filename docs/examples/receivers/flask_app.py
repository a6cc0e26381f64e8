import os
from flask import Flask, request
from hookwright_signature import SignatureError, verify

app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 2**23

@app.post("/webhooks")
def receive():
    body = request.get_data()  # before request.json or request.form
    try:
        event = verify(body, request.headers, os.environ["WEBHOOK_SECRET"].split(","))
    except SignatureError as error:
        app.logger.warning(error)  # it contains no secret
        return error.code, error.status
    if not event.get("test"):
        print(event["id"], flush=True)  # your own work
    return "", 204

if __name__ == "__main__":
    app.run(port=int(os.environ.get("PORT", "8080")))
