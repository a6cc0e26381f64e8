import logging, os
import uvicorn
from fastapi import FastAPI, Request, Response
from hookwright_signature import SignatureError, verify

app = FastAPI()

@app.post("/webhooks")
async def receive(request: Request):  # not a model or Body(): they parse
    body = await request.body()
    try:
        event = verify(body, request.headers, os.environ["WEBHOOK_SECRET"].split(","))
    except SignatureError as error:
        logging.warning(error)  # it contains no secret
        return Response(error.code, status_code=error.status)
    if not event.get("test"):
        print(event["id"], flush=True)  # your own work
    return Response(status_code=204)

if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ.get("PORT", "8080")))
