import { once } from "node:events";
import { createServer } from "node:http";

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  /** Names and values as they were sent, in turn. */
  readonly rawHeaders: readonly string[];
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

export interface LocalHook extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly ReceivedRequest[];
  status: number;
}

/** The program that a developer writes: it receives events on this machine. */
export async function openLocalHook(): Promise<LocalHook> {
  const received: ReceivedRequest[] = [];
  const hook = { status: 200 };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { method = "", url: path = "", rawHeaders, headers } = request;
      received.push({ method, path, rawHeaders, headers, body: Buffer.concat(parts) });
      response.writeHead(hook.status);
      response.end("thanks");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    received,
    get status() {
      return hook.status;
    },
    set status(status) {
      hook.status = status;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
