import process from "node:process";
import express from "express";
import { receive } from "./receive.ts";

declare global {
  namespace Express {
    interface Request {
      rawBody?: Uint8Array;
    }
  }
}

const app = express();

// express.json() calls `verify` with the raw bytes before it parses them. Later only request.body is left.
app.use(
  express.json({
    limit: 2 ** 23,
    verify: (request, _response, rawBody) => Object.assign(request, { rawBody }),
  }),
);

app.post("/webhooks", async (request, response) => {
  response.sendStatus(await receive({ body: request.rawBody ?? "", headers: request.headers }));
});

const port = Number(process.env["PORT"] ?? 8080);
app.listen(port, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${port}/webhooks`);
});
