import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "hookwright";
import type { HookwrightOptions } from "hookwright";
import { createHostClient } from "../../src/host/create-host-client.ts";
import type { HostClientOptions } from "../../src/host/create-host-client.ts";
import type { HostClient } from "../../src/host/resources.ts";
import { openServer } from "./open-server.ts";

export interface HostWorld extends AsyncDisposable {
  readonly origin: string;
  readonly host: HostClient;
  connect(options?: Partial<HostClientOptions>): HostClient;
}

export const hostToken = "the host's token";

/** A server without accounts, over a real socket. */
export async function openHostWorld(options: Partial<HookwrightOptions> = {}): Promise<HostWorld> {
  const store = memoryStore();
  const hookwright = await createHookwright({
    store,
    secret: "a secret of thirty-two characters",
    hostToken,
    ...options,
  });
  const server = await openServer(hookwright.handler);
  const { origin } = server;
  const connect = (own: Partial<HostClientOptions> = {}): HostClient =>
    createHostClient({ baseUrl: origin, hostToken, sleep: async () => {}, ...own });
  return {
    origin,
    host: connect(),
    connect,
    async [Symbol.asyncDispose]() {
      await hookwright.close();
      await store.close();
      await server[Symbol.asyncDispose]();
    },
  };
}
