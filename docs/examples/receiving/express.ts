import process from "node:process";
import express from "express";
import { receive } from "./receive.ts";

const app = express();

// Before express.json(), which would replace the signed bytes by a parsed body.
app.post("/webhooks", express.raw({ type: "*/*", limit: 2 ** 23 }), async (request, response) => {
  response.sendStatus(await receive({ body: request.body ?? "", headers: request.headers }));
});

app.use(express.json()); // for the routes below

const port = Number(process.env["PORT"] ?? 8080);
app.listen(port, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${port}/webhooks`);
});
