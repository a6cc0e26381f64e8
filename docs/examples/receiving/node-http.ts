import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import process from "node:process";
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
  const body = await readBody(request);
  return body === undefined ? 413 : receive({ body, headers: request.headers });
}

/** Returns undefined if the body is too long. The sender is not verified yet, so its body must not fill the memory. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    // The rest is read and dropped. An unread body would block the next request on this connection.
    if (length > 2 ** 23) chunks.length = 0;
    else chunks.push(chunk);
  }
  return length > 2 ** 23 ? undefined : Buffer.concat(chunks);
}

const port = Number(process.env["PORT"] ?? 8080);
server.listen(port, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${port}/webhooks`);
});
