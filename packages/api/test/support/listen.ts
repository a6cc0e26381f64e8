import { createServer } from "node:http";
import type { RequestListener, Server, ServerOptions } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";

export interface Listening extends AsyncDisposable {
  readonly port: number;
  readonly origin: string;
  readonly server: Server;
}

/** A real server on a free port of the loopback address. */
export async function listen(handler: RequestListener, options: ServerOptions = {}): Promise<Listening> {
  const server = createServer(options, handler);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    server,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface RawConnection extends Disposable {
  readonly socket: Socket;
  readonly send: (text: string | Uint8Array) => void;
  /** Waits until the received data contains the text, and returns all of it. */
  readonly received: (text: string) => Promise<string>;
  /** Waits until the server closes the connection, and returns all received data. */
  readonly closed: Promise<string>;
}

/** Opens a raw socket, to send data that no HTTP client sends. */
export function openConnection(port: number): RawConnection {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let arrived = "";
  const waiting = new Set<() => void>();
  const notify = (): void => waiting.forEach((check) => check());
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    arrived += chunk;
    notify();
  });
  const closed = new Promise<string>((resolve) => {
    const done = (): void => {
      resolve(arrived);
      notify();
    };
    socket.once("end", done).once("close", done).on("error", done);
  });
  return {
    socket,
    send: (text) => {
      socket.write(text);
    },
    received: (text) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (arrived.includes(text)) resolve(arrived);
          else if (socket.readableEnded || socket.destroyed) reject(new Error(`closed after: ${arrived}`));
          else return;
          waiting.delete(check);
        };
        waiting.add(check);
        check();
      }),
    closed,
    [Symbol.dispose]: () => {
      socket.destroy();
    },
  };
}
