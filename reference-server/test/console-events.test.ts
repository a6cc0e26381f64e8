import { describe, expect, it } from "vitest";
import { openConsoleStream } from "../../packages/hookwright/test/end-to-end/support/event-stream.ts";
import type { ServerSentEvents } from "../../packages/hookwright/test/end-to-end/support/event-stream.ts";
import { startCountingReceiver } from "./support/counting-receiver.ts";
import { createTenants, publishOrders, startOn, until } from "./support/fleet.ts";
import { call, createAccount, hostToken } from "./support/host-api.ts";
import { hasPostgresServer, startPostgresServer } from "./support/postgres-server.ts";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";
import { startServer } from "./support/server-process.ts";
import type { ServerProcess } from "./support/server-process.ts";

const email = "owner@example.com";
const password = "correct horse battery";

type Server = Pick<ServerProcess, "url">;

async function signIn(server: Server, accountId: string): Promise<string> {
  const path = `/host/v1/accounts/${accountId}`;
  await call(server, path, { method: "PUT", body: { email, password } });
  const session = await call(server, "/console/api/session", { method: "POST", body: { email, password } });
  return String(session["token"]);
}

async function openConsole(server: Server, token: string): Promise<ServerSentEvents> {
  const stream = await openConsoleStream(server.url, token);
  await until(() => stream.comments.length === 1);
  return stream;
}

function delivered({ events }: ServerSentEvents): number {
  const ids = events
    .filter(({ event }) => event === "delivery")
    .map(({ data }) => JSON.parse(data))
    .filter(({ status }) => status === "delivered")
    .map(({ id }) => id);
  return new Set(ids).size;
}

describe.each([
  ["Redis", hasRedisServer, startRedisServer],
  ["PostgreSQL", hasPostgresServer, startPostgresServer],
] as const)("processes on one %s", (name, exists, start) => {
  it.runIf(exists)(
    "show in every open console what a worker in another process delivers, until the session ends in one of them",
    { tags: name === "Redis" ? [] : ["long"] },
    async () => {
      await using storage = await start();
      await using receiver = await startCountingReceiver();
      await using first = await startOn(storage.url, "api");
      await using second = await startOn(storage.url, "api");
      await using worker = await startOn(storage.url, "worker");
      await createTenants(first, 1, receiver.url);
      const token = await signIn(first, "acc_0");
      await using one = await openConsole(first, token);
      await using two = await openConsole(second, token);
      // On a busy machine all may end between two looks, and one look sees the newest 25.
      await publishOrders([first], { last: 20, sites: 1 });
      await until(() => delivered(one) === 20 && delivered(two) === 20);
      await call(first, "/console/api/session", { method: "DELETE", token });
      const signedOutAt = performance.now();
      await Promise.all([one.ended, two.ended]);
      expect(performance.now() - signedOutAt).toBeLessThan(2_000);
      expect((await worker.stop()).code).toBe(0);
    },
  );
});

it("a server ends the streams of consoles at once when it stops", async () => {
  await using server = await startServer({ env: { HOOKWRIGHT_HOST_TOKEN: hostToken } });
  await createAccount(server);
  await using stream = await openConsole(server, await signIn(server, "acc_1"));
  const stoppedAt = performance.now();
  expect((await server.stop()).code).toBe(0);
  // Without the end of its streams, it would wait for 14 s.
  expect(performance.now() - stoppedAt).toBeLessThan(10_000);
  await stream.ended;
});
