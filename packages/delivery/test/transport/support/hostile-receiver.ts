import { once } from "node:events";
import { createServer as createPlainServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { createServer as createSecureServer } from "node:tls";
import type { TlsOptions } from "node:tls";
import { onTestFinished } from "vitest";

export interface ReceiverOptions {
  /** The address it listens on. @default "127.0.0.1" */
  readonly host?: string;
  readonly tls?: TlsOptions;
  /** Called when a connection is accepted, before anything was read. */
  readonly onConnection?: (socket: Socket) => void;
  /** Called for each whole request, numbered from 1 over all connections. */
  readonly onRequest?: (socket: Socket, number: number, text: string) => void;
}

export interface Receiver {
  readonly port: number;
  /** Each accepted connection. In TLS, after its handshake. */
  readonly connections: readonly Socket[];
  /** Each whole request. */
  readonly requests: readonly string[];
  /** Resolves when the connection of this number (from 0) has been accepted. */
  connected(index: number): Promise<Socket>;
  /** Resolves when the sender has closed the connection of this number (from 0). */
  closed(index: number): Promise<void>;
}

/** A receiver on a free port of this machine. The test controls its sockets. */
export async function openReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const connections: Socket[] = [];
  const requests: string[] = [];
  const wanted = new Map<number, PromiseWithResolvers<Socket>>();

  const connected = (index: number): Promise<Socket> => {
    const known = wanted.get(index) ?? Promise.withResolvers<Socket>();
    wanted.set(index, known);
    return known.promise;
  };

  function onConnection(socket: Socket): void {
    connections.push(socket);
    const index = connections.length - 1;
    socket.on("error", () => socket.destroy());
    void connected(index);
    wanted.get(index)?.resolve(socket);
    options.onConnection?.(socket);
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      for (let end = endOfRequest(received); end !== undefined; end = endOfRequest(received)) {
        const text = received.slice(0, end);
        received = received.slice(end);
        requests.push(text);
        options.onRequest?.(socket, requests.length, text);
      }
    });
  }

  const server: Server =
    options.tls === undefined
      ? createPlainServer({ allowHalfOpen: true }, onConnection)
      : createSecureServer(options.tls, onConnection);
  // In many tests the sender ends the handshake.
  server.on("tlsClientError", () => {});
  server.listen(0, options.host ?? "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of connections) socket.destroy();
    server.close();
  });

  return {
    port: toPort(server.address()),
    connections,
    requests,
    connected,
    async closed(index) {
      const socket = await connected(index);
      if (socket.closed || socket.readableEnded) return;
      // The receiver's own half stays open. The end of the sender's half shows that it has closed.
      await new Promise<void>((resolve) => socket.once("end", resolve).once("close", () => resolve()));
    },
  };
}

/** The index after the first whole request, or undefined. */
function endOfRequest(text: string): number | undefined {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const length = Number(/\r\ncontent-length: (\d+)\r\n/u.exec(text.slice(0, headEnd + 2))?.[1]);
  const end = headEnd + 4 + length;
  return text.length < end ? undefined : end;
}

function toPort(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new TypeError("the receiver has no port");
  return address.port;
}
