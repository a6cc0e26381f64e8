import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import process from "node:process";
import { json } from "node:stream/consumers";
import { announce, hookwright, submitReview } from "./bakery.ts";

const server = createServer((request, response) => {
  if (request.url?.startsWith("/integrations/")) return hookwright.handler(request, response);
  answer(request, response).catch((error: unknown) => response.writeHead(422).end(String(error)));
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url !== "/reviews") return void response.end("The shop");
  const { id } = await submitReview(await json(request));
  response.writeHead(201).end(id);
}

const port = Number(process.env["PORT"] ?? 3000);
server.listen(port, "127.0.0.1", () => announce(port));

process.once("SIGTERM", () => {
  server.close(() => void hookwright.close());
});
