import os
from flask import Flask, request
from verify import verify

app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 2**23

@app.post("/webhooks")
def receive():
    body = request.get_data()  # before request.json or request.form
    if not verify(body, request.headers, os.environ["WEBHOOK_SECRET"].split(",")):
        return "", 401
    if request.headers.get("X-Service-Test") != "1":
        event = request.get_json(force=True)
        print(event["id"], flush=True)  # your own work
    return "", 204

if __name__ == "__main__":
    app.run(port=int(os.environ.get("PORT", "8080")))
