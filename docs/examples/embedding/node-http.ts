import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import process from "node:process";
import { json } from "node:stream/consumers";
import { announce, hookwright, submitReview } from "./bakery.ts";

const server = createServer((request, response) => {
  if (request.url?.startsWith("/integrations/")) return hookwright.handler(request, response);
  answer(request, response).catch((error: unknown) => {
    if (error instanceof SyntaxError) return void response.writeHead(400).end("The body is not JSON.");
    console.error(error);
    response.writeHead(500).end();
  });
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== "POST" || request.url !== "/reviews") return void response.end("The shop");
  const { status, text } = await submitReview(await json(request));
  response.writeHead(status).end(text);
}

const port = Number(process.env["PORT"] ?? 3000);
server.listen(port, "127.0.0.1", () => announce(port));

const stop = () => server.close(() => void hookwright.close());
process.once("SIGTERM", stop).once("SIGINT", stop);
