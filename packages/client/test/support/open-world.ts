import { eventCatalogue } from "@hookwright/domain";
import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "hookwright";
import type { Hookwright, HookwrightOptions } from "hookwright";
import { createClient } from "../../src/create-client.ts";
import type { Client } from "../../src/resources.ts";
import type { ClientOptions, RetryNotice } from "../../src/options.ts";
import { openServer } from "./open-server.ts";

export interface World extends AsyncDisposable {
  readonly hookwright: Hookwright;
  /** Includes the base path, if any. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly client: Client;
  /** `GET /v1/orders?status=paid`, in order. */
  readonly requests: readonly string[];
  /** The waits of the client in milliseconds, in order. No time passes. */
  readonly waits: readonly number[];
  readonly notices: readonly RetryNotice[];
  connect(options?: Partial<ClientOptions>): Client;
  /** Publishes an order of `site_1`. A later number is a newer order. */
  order(number: number, changes?: object): Promise<void>;
  /** Advances the clock of the API by milliseconds. */
  pass(ms: number): void;
}

/** The real API over a real socket, with an account that has two sites and a key. */
export async function openWorld(options: Partial<HookwrightOptions> = {}): Promise<World> {
  let offset = 0;
  const now = (): number => Date.now() + offset;
  const requests: string[] = [];
  const waits: number[] = [];
  const notices: RetryNotice[] = [];
  const store = memoryStore({ now });
  const hookwright = await createHookwright({
    store,
    secret: "a secret of thirty-two characters",
    now,
    ...options,
  });
  const server = await openServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    hookwright.handler(request, response);
  });
  await hookwright.accounts.put("acc_1", { name: "One", email: "one@example.com" });
  await hookwright.projects.put("site_1", { account_id: "acc_1", name: "Shop", timezone: "Europe/London" });
  await hookwright.projects.put("site_2", { account_id: "acc_1", name: "Blog", timezone: "Asia/Tokyo" });
  const { api_key: apiKey } = await hookwright.apiKeys.create("acc_1", { name: "test" });
  const baseUrl = server.origin + (options.basePath ?? "");

  const connect = (clientOptions: Partial<ClientOptions> = {}): Client =>
    createClient({
      baseUrl,
      apiKey,
      random: () => 0,
      sleep: async (delayMs) => {
        waits.push(delayMs);
        offset += delayMs;
      },
      onRetry: (notice) => notices.push(notice),
      ...clientOptions,
    });
  return {
    hookwright,
    baseUrl,
    apiKey,
    client: connect(),
    requests,
    waits,
    notices,
    connect,
    async order(number, changes = {}) {
      const createdAt = new Date(Date.UTC(2026, 0, 1, 0, 0, number)).toISOString().replace(".000Z", "Z");
      const data = {
        ...eventCatalogue["order.created"].sampleData,
        id: `ord_${number}`,
        number: `${number}`,
      };
      await hookwright.publish({
        event: "order.created",
        project_id: "site_1",
        data: { ...data, created_at: createdAt, ...changes },
      });
    },
    pass: (ms) => void (offset += ms),
    async [Symbol.asyncDispose]() {
      await hookwright.close();
      await store.close();
      await server[Symbol.asyncDispose]();
    },
  };
}
