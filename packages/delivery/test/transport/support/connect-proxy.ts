import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface ConnectProxyOptions {
  /** Reached over TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Answers CONNECT to these targets with 403. */
  readonly refuses?: (target: string) => boolean;
  /** Answers CONNECT in place of opening a tunnel. */
  readonly answer?: (client: Socket, request: IncomingMessage) => void;
}

export interface ConnectProxy {
  readonly port: number;
  /** Each CONNECT: `hooks.example.com:443`, and its `Proxy-Authorization`. */
  readonly tunnels: readonly { readonly target: string; readonly authorization: string | undefined }[];
  /** The addresses that clients connected from. */
  readonly clients: readonly (string | undefined)[];
  /** Open connections of clients. */
  openClients(): number;
}

/** A real HTTP proxy. It connects every name to this machine. */
export async function openConnectProxy({
  tls,
  refuses,
  answer,
}: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const tunnels: { target: string; authorization: string | undefined }[] = [];
  const clients: (string | undefined)[] = [];
  const open = new Set<Socket>();
  const server = tls === undefined ? createServer() : createSecureServer(tls);
  server.on("connect", (request: IncomingMessage, client: Socket) => {
    const target = request.url ?? "";
    tunnels.push({ target, authorization: request.headers["proxy-authorization"] });
    clients.push(client.remoteAddress);
    open.add(client);
    client.on("close", () => open.delete(client)).on("error", () => client.destroy());
    if (refuses?.(target) === true) return void client.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    if (answer !== undefined) return answer(client, request);
    const receiver = connect(Number(target.slice(target.lastIndexOf(":") + 1)), "127.0.0.1");
    receiver.on("error", () => client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
    receiver.once("connect", () => {
      client.write("HTTP/1.1 200 Connection established\r\nvia: test\r\n\r\n");
      client.pipe(receiver).pipe(client);
    });
    client.on("close", () => receiver.destroy());
    open.add(receiver);
    receiver.on("close", () => open.delete(receiver));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("the proxy has no port");
  return { port: address.port, tunnels, clients, openClients: () => open.size };
}
