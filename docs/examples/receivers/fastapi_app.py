import json, os
import uvicorn
from fastapi import FastAPI, Request, Response
from verify import verify

app = FastAPI()

@app.post("/webhooks")
async def receive(request: Request):  # not a model or Body(): they parse
    body = await request.body()
    if not verify(body, request.headers.items(), os.environ["WEBHOOK_SECRET"].split(",")):
        return Response(status_code=401)
    if request.headers.get("X-Service-Test") != "1":
        event = json.loads(body)
        print(event["id"], flush=True)  # your own work
    return Response(status_code=204)

if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ.get("PORT", "8080")))
