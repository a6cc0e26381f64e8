import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";

/** Starts a real server on the loopback interface. */
export async function listen(
  listener: RequestListener,
): Promise<{ readonly origin: string; countConnections(): Promise<number> } & AsyncDisposable> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    countConnections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
