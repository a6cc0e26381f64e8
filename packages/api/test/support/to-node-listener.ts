import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

/**
 * Serves a `fetch` function as frameworks do: it gets a plain `Request`, and its response is written to the connection.
 */
export function toNodeListener(fetch: (request: Request) => Promise<Response>): RequestListener {
  return async (incoming, outgoing) => {
    const { method = "GET", url = "/", headers } = incoming;
    const request = new Request(`http://localhost${url}`, {
      method,
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      ...(method === "POST" ? { body: toStream(incoming), duplex: "half" } : {}),
    });
    await write(await fetch(request), outgoing);
  };
}

function toStream(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = incoming[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done = false, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    // Same behaviour as `Readable.toWeb`.
    cancel: () => void incoming.destroy(),
  });
}

async function write(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
    outgoing.write(part.value);
  outgoing.end();
}
