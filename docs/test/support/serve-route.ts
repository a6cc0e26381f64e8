import { createServer } from "node:http";
import { H3 } from "h3";
import { toNodeHandler } from "h3/node";
import { createApp, createRouter, eventHandler, toNodeListener } from "h3-1";
import { vi } from "vitest";
import { listenLocally } from "../../../packages/hookwright/test/support/listen-locally.ts";

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
  return listenLocally(createServer(listener));
}
