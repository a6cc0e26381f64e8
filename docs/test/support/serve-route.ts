import { once } from "node:events";
import { createServer } from "node:http";
import { H3 } from "h3";
import { toNodeHandler } from "h3/node";
import { createApp, createRouter, eventHandler, toNodeListener } from "h3-1";
import { vi } from "vitest";

/** The major versions of h3 that Nitro and Nuxt run on. */
export type H3Version = "h3 1" | "h3 2";

/** Serves the default export of a route file as Nitro does, on either version of h3. */
export async function serveRoute(
  version: H3Version,
  path: string,
  load: () => Promise<{ readonly default: unknown }>,
): Promise<AsyncDisposable & { readonly origin: string }> {
  vi.doMock("h3", () => import(version === "h3 1" ? "h3-1" : "h3"));
  const { default: route } = await load();
  vi.doUnmock("h3");
  if (typeof route !== "function") throw new TypeError("a route file exports a handler");
  const handle = (event: object): unknown => route(event);
  const listener =
    version === "h3 1"
      ? toNodeListener(createApp().use(createRouter().use(path, eventHandler(handle))))
      : toNodeHandler(new H3().all(path, handle));
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
