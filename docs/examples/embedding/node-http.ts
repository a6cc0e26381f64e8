import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import process from "node:process";
import { hardenServer } from "hookwright";
import { announce, close, hookwright, submitReview } from "./bakery.ts";

const server = createServer((request, response) => {
  // The base path itself, and every path below it.
  if (/^\/integrations(?:[/?]|$)/u.test(request.url ?? "")) return hookwright.handler(request, response);
  answer(request, response).catch((error: unknown) => {
    if (error instanceof SyntaxError) return void response.writeHead(400).end("The body is not JSON.");
    console.error(error);
    response.writeHead(500).end();
  });
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== "POST" || request.url !== "/reviews") return void response.end("The shop");
  const body = await readBody(request);
  if (body === undefined) return void response.writeHead(413).end("The review is too large.");
  const { status, text } = await submitReview(JSON.parse(body));
  response.writeHead(status).end(text);
}

/** Undefined for more than 1 MiB. The rest is read and discarded, so that the connection can be used again. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > 2 ** 20) chunks.length = 0;
    else chunks.push(chunk);
  }
  return length > 2 ** 20 ? undefined : Buffer.concat(chunks).toString();
}

hardenServer(server);
const port = Number(process.env["PORT"] ?? 3000);
server.listen(port, "127.0.0.1", () => announce(port));

const stop = () => server.close(() => void close());
process.once("SIGTERM", stop).once("SIGINT", stop);
