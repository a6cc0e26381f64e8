import { once } from "node:events";
import type { Server, Socket } from "node:net";

export interface LocalServer extends AsyncDisposable {
  readonly port: number;
  readonly origin: string;
}

/** Makes a server of a test listen on a free port of this machine. Its connections end with it. */
export async function listenLocally(server: Server, host = "127.0.0.1"): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a server with a port has an address");
  return {
    port: address.port,
    origin: `http://${host}:${address.port}`,
    async [Symbol.asyncDispose]() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
