import { openPostgresStore } from "@hookwright/storage/postgres";
import { openRedisStore } from "@hookwright/storage/redis";
import type { Store } from "@hookwright/storage";
import { describe, expect, it } from "vitest";
import { hasPostgresServer, startPostgresServer } from "../../storage/test/support/postgres-server.ts";
import { hasRedisServer, startRedisServer } from "../../storage/test/support/redis-server.ts";
import { createHookwright } from "../src/create-hookwright.ts";
import { openSession } from "./support/open-session.ts";

const secret = "0123456789abcdef0123456789abcdef";
const hostToken = "host_0123456789abcdef0123456789abcdef";

const paths = {
  key: [
    "/v1/me",
    "/v1/projects",
    "/v1/webhooks",
    "/v1/orders",
    "/v1/orders/ord_1",
    "/v1/contacts",
    "/v1/email-lists",
    "/v1/event-types",
    "/v1/event-types/order.created/samples",
    "/developer/v1/webhooks",
    "/developer/v1/deliveries",
  ],
  console: [
    "/console/api/keys",
    "/console/api/webhooks?include=health",
    "/console/api/deliveries",
    "/console/api/deliveries/counts",
    "/console/api/search?q=ord",
    "/console/api/overview?period=24h",
    "/console/api/requests",
    "/v1/me",
  ],
  host: [
    "/host/v1/accounts",
    "/host/v1/accounts/acc_1",
    "/host/v1/webhooks",
    "/host/v1/search?q=acc",
    "/host/v1/stats",
  ],
};

async function openInstance(store: Store) {
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const hookwright = await createHookwright({ store, secret, hostToken, logger, rateLimitPerMinute: 10_000 });
  const ask = (path: string, token: string): Promise<Response> =>
    hookwright.fetch(
      new Request(`http://127.0.0.1${path}`, { headers: { authorization: `Bearer ${token}` } }),
    );
  return { hookwright, ask };
}

/** Each storage with something to read, and what makes it read-only. */
const storages = [
  {
    name: "PostgreSQL with default_transaction_read_only",
    isInstalled: hasPostgresServer,
    async start() {
      const server = await startPostgresServer();
      return {
        server,
        open: () => openPostgresStore({ url: server.url }),
        async makeReadOnly() {
          await server.run("alter system set default_transaction_read_only = on");
          await server.run("select pg_reload_conf()");
          await server.run(
            "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
          );
        },
      };
    },
    opensAgain: true,
  },
  ...[
    { name: "Redis without memory", change: ["config", "set", "maxmemory", "1"], opensAgain: true },
    {
      name: "Redis without enough replicas",
      change: ["config", "set", "min-replicas-to-write", "1"],
      opensAgain: true,
    },
    { name: "Redis as a replica", change: ["replicaof", "127.0.0.1", "1"], opensAgain: false },
  ].map(({ name, change, opensAgain }) => ({
    name,
    isInstalled: hasRedisServer,
    async start() {
      const server = await startRedisServer(["--replica-serve-stale-data", "yes"]);
      return {
        server,
        open: () => openRedisStore({ url: server.url, onWarning: () => {} }),
        makeReadOnly: async () => void server.run(...change),
      };
    },
    opensAgain,
  })),
];

describe.each(storages)("on $name", ({ isInstalled, start, opensAgain }) => {
  it.runIf(isInstalled)(
    "every read answers 200",
    async () => {
      const started = await start();
      await using _server = started.server;
      const store = await started.open();
      const { hookwright, ask } = await openInstance(store);
      await hookwright.accounts.put("acc_1", {
        name: "Bakery",
        email: "owner@example.com",
        timezone: "UTC",
        plan: { name: "pro", integrations: true, crm: true },
      });
      await hookwright.projects.put("site_1", { account_id: "acc_1", name: "Bakery", timezone: "UTC" });
      await hookwright.publish({
        event: "order.created",
        project_id: "site_1",
        data: { id: "ord_1", total: "1" },
      });
      const { api_key: key } = await hookwright.apiKeys.create("acc_1", { name: "reader" });
      const tokens = { key, console: await openSession(hookwright), host: hostToken };
      const all = Object.entries(paths).flatMap(([kind, some]) => some.map((path) => ({ kind, path })));
      const askAll = (asked: typeof ask) =>
        Promise.all(
          all.map(async ({ kind, path }) => {
            const token = kind === "key" ? tokens.key : kind === "host" ? tokens.host : tokens.console;
            const { status } = await asked(path, token);
            return `${status} ${path}`;
          }),
        );
      const expected = all.map(({ path }) => `200 ${path}`);
      expect(await askAll(ask)).toEqual(expected);
      await started.makeReadOnly();
      for (let round = 0; round < 5; round++) expect(await askAll(ask)).toEqual(expected);
      expect((await ask("/readyz", "")).status).toBe(503);
      if (opensAgain) {
        await using other = await started.open();
        const second = await openInstance(other);
        expect(await askAll(second.ask)).toEqual(expected);
        await second.hookwright.close();
      }
      await hookwright.close();
      await store.close();
    },
    60_000,
  );
});
