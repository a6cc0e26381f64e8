import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";

export interface OpenedServer extends AsyncDisposable {
  readonly origin: string;
}

/** A server on this machine. */
export async function openServer(listener: RequestListener): Promise<OpenedServer> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
