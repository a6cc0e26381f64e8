import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import process from "node:process";
import { buffer } from "node:stream/consumers";
import { receive } from "./receive.ts";

const server = createServer((request, response) => {
  answer(request)
    .catch((error: unknown) => {
      console.error(error);
      return 500;
    })
    .then((status) => response.writeHead(status).end());
});

async function answer(request: IncomingMessage): Promise<number> {
  if (request.method !== "POST" || request.url !== "/webhooks") return 404;
  return receive({ body: await buffer(request), headers: request.headers });
}

const port = Number(process.env["PORT"] ?? 8080);
server.listen(port, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${port}/webhooks`);
});
