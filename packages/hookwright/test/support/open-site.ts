import { createServer } from "node:http";
import type { Socket } from "node:net";
import type { Hookwright } from "../../src/create-hookwright.ts";
import { listenLocally } from "./listen-locally.ts";

export interface Site extends AsyncDisposable {
  readonly origin: string;
  /** Closes all connections, as a restart of a proxy does. */
  dropConnections(): void;
  /** Sends nothing more on the present connections, as a network that is gone. They stay open. */
  silenceConnections(): void;
}

export interface SiteOptions {
  /** The path whose prefix is removed, as Express does. @default "" */
  readonly mount?: string;
  /** An HTML page of somebody else on the same origin, at every path outside of the mount. @default 404 */
  readonly otherPage?: string | undefined;
}

/** Serves a Hookwright on its own port, as an embedding program does. */
export async function openSite(
  hookwright: Pick<Hookwright, "handler">,
  { mount = "", otherPage }: SiteOptions = {},
): Promise<Site> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const url = request.url ?? "/";
    if (!url.startsWith(`${mount}/`)) {
      response.writeHead(otherPage === undefined ? 404 : 200, { "content-type": "text/html" });
      return void response.end(otherPage);
    }
    request.url = url.slice(mount.length);
    return hookwright.handler(request, response);
  });
  const local = await listenLocally(server);
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return {
    origin: local.origin,
    silenceConnections() {
      for (const socket of sockets) socket.cork();
    },
    dropConnections: () => server.closeAllConnections(),
    [Symbol.asyncDispose]: () => local[Symbol.asyncDispose](),
  };
}
