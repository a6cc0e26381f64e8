import { once } from "node:events";
import { createServer } from "node:net";
import type { Server as HttpServer } from "node:http";
import type { Server } from "node:net";

/** Sockets that share a port. Each accepts one connection in each turn of the event loop. */
const socketCount = 16;

export interface ListeningSockets {
  /** Stops accepting connections, and resolves when those that are open have ended. */
  close(): Promise<void>;
}

/**
 * Lets a server listen on a port, and accept many connections in each turn of the event loop. libuv accepts one from each socket,
 * so that under an attack new connections would wait for seconds, although the server has time for their requests.
 * The system chooses the socket by the address and port of the client.
 *
 * Where the system or the version of Node cannot share a port (`SO_REUSEPORT`), the one socket stays.
 *
 * @param address a port that no other process listens on. This user could share it with another server without noticing.
 */
export async function openListeningSockets(
  server: HttpServer,
  address: { readonly port: number; readonly host: string },
): Promise<ListeningSockets> {
  const sockets: Server[] = [];
  const shared = { ...address, reusePort: true };
  if (await canListen(server, shared)) {
    while (sockets.length < socketCount - 1) {
      const socket = createServer((connection) => server.emit("connection", connection));
      if (!(await canListen(socket, shared))) break;
      sockets.push(socket);
    }
  } else {
    server.listen(address);
    await once(server, "listening");
  }
  return {
    async close() {
      await Promise.all(sockets.map((socket) => new Promise((resolve) => void socket.close(resolve))));
    },
  };
}

/** False if the port cannot be shared. */
async function canListen(
  server: Server,
  address: { readonly port: number; readonly host: string; readonly reusePort: boolean },
): Promise<boolean> {
  server.listen(address);
  try {
    await once(server, "listening");
    return true;
  } catch {
    return false;
  }
}
