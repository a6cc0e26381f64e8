import { listDeliveries, readLedger, sumPoints } from "@hookwright/delivery";
import { partitions } from "@hookwright/storage";
import type { Key } from "@hookwright/storage";
import { openPostgresStore } from "@hookwright/storage/postgres";
import { openRedisStore } from "@hookwright/storage/redis";
import { describe, expect, it } from "vitest";
import { startCountingReceiver } from "./support/counting-receiver.ts";
import { createTenants, publishOrders, startOn, until } from "./support/fleet.ts";
import { hasPostgresServer, startPostgresServer } from "./support/postgres-server.ts";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";
import type { ServerProcess } from "./support/server-process.ts";

const sites = 24;
const servers = [
  {
    name: "Redis",
    isInstalled: hasRedisServer,
    start: () => startRedisServer(),
    size: 1_200,
    tags: [],
  },
  {
    name: "PostgreSQL",
    isInstalled: hasPostgresServer,
    start: () => startPostgresServer(),
    size: 5_000,
    // The leases are the same on every storage.
    tags: ["long"],
  },
];

interface Lease {
  readonly worker: { readonly process: number };
}

/** The leases of all partitions in the storage. */
async function watchLeases(url: string) {
  const store = await (url.startsWith("postgres") ? openPostgresStore({ url }) : openRedisStore({ url }));
  /** The rows. Each acquisition has a unique text, which is the fencing token. */
  const read = (): Promise<(string | undefined)[]> =>
    store.getMany(partitions.map((partition): Key => [partition, "lease"]));
  return {
    /** The number of partitions per worker. */
    async shares(...workers: readonly ServerProcess[]): Promise<number[]> {
      const leases = (await read()).flatMap((text): Lease[] =>
        text === undefined ? [] : [JSON.parse(text)],
      );
      return workers.map(({ pid }) => leases.filter(({ worker }) => worker.process === pid).length);
    },
    tokens: read,
    /** What ended, by the ledgers of all accounts and by their logs. */
    async counts(accounts: number) {
      const sums = { ledger: { delivered: 0, attempts: 0 }, log: { delivered: 0, attempts: 0 } };
      for (let index = 0; index < accounts; index++) {
        const accountId = `acc_${index}`;
        const now = Date.now();
        const query = { accountId, stepSeconds: 900, since: now - 86_400_000, until: now + 1, now };
        const { delivered, attempts } = sumPoints((await readLedger(store, query)).all);
        sums.ledger.delivered += delivered;
        sums.ledger.attempts += attempts;
        const { deliveries } = await listDeliveries(store, {
          accountId,
          filters: {},
          before: undefined,
          limit: 1_000,
        });
        sums.log.delivered += deliveries.filter(({ status }) => status === "delivered").length;
        sums.log.attempts += deliveries.reduce((sum, delivery) => sum + delivery.attempts.length, 0);
      }
      return sums;
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
}

describe.each(servers)("workers on one $name", ({ isInstalled, start, size, tags }) => {
  it.runIf(isInstalled)(
    "rebalance when they join and leave, and send no accepted delivery twice",
    { tags, timeout: 300_000 },
    async () => {
      await using storage = await start();
      await using leases = await watchLeases(storage.url);
      await using receiver = await startCountingReceiver();
      await using api = await startOn(storage.url, "api");
      await createTenants(api, sites, receiver.url);
      await using one = await startOn(storage.url, "worker");
      const publishing = publishOrders([api], { last: size, sites });
      await using two = await startOn(storage.url, "worker");
      await using three = await startOn(storage.url, "worker");
      await using four = await startOn(storage.url, "worker");
      const workers = [one, two, three, four];
      await until(async () => (await leases.shares(...workers)).every((share) => share === 16));
      await publishing;
      // One leaves in the middle of its work, and the others take over its partitions.
      const more = publishOrders([api], { first: size, last: size * 2, sites });
      expect((await two.stop()).code).toBe(0);
      await until(async () => (await leases.shares(one, three, four)).every((share) => share >= 21));
      await more;
      await receiver.received(size * 2);
      for (const worker of [one, three, four]) expect((await worker.stop()).code).toBe(0);
      expect(receiver.seen.size).toBe(size * 2);
      expect(receiver.duplicates).toBe(0);
    },
  );

  it.runIf(isInstalled)(
    "take over the partitions of a killed worker immediately, lose nothing, and count each result once",
    { tags, timeout: 60_000 },
    async () => {
      await using storage = await start();
      await using leases = await watchLeases(storage.url);
      await using receiver = await startCountingReceiver({ answerAfterMs: 20 });
      await using api = await startOn(storage.url, "api");
      await createTenants(api, sites, receiver.url);
      await using one = await startOn(storage.url, "worker");
      await using two = await startOn(storage.url, "worker");
      await until(async () => (await leases.shares(one, two)).every((share) => share === 32));
      const publishing = publishOrders([api], { last: 1_200, sites });
      await receiver.received(300);
      await two.kill9();
      await publishing;
      await receiver.received(1_200);
      expect(await leases.shares(one)).toEqual([64]);
      // Only attempts in flight at its death are repeated: 24 webhooks with at most 64 attempts each.
      expect(receiver.duplicates).toBeLessThan(sites * 64);
      await one.stop();
      const { ledger, log } = await leases.counts(sites);
      expect(ledger).toEqual(log);
      expect(log.delivered).toBe(1_200);
    },
  );

  it.runIf(isInstalled)(
    "take over the partitions of a stopped worker within 20 s, and fencing refuses its writes after it resumes",
    { tags, timeout: 90_000 },
    async () => {
      await using storage = await start();
      await using leases = await watchLeases(storage.url);
      await using receiver = await startCountingReceiver({ answerAfterMs: 300 });
      await using api = await startOn(storage.url, "api");
      await createTenants(api, sites, receiver.url);
      await using one = await startOn(storage.url, "worker");
      await using two = await startOn(storage.url, "worker");
      await until(async () => (await leases.shares(one, two)).every((share) => share === 32));
      await publishOrders([api], { last: 240, sites });
      // In the middle of its attempts.
      await receiver.received(20);
      two.signal("SIGSTOP");
      const waitedMs = await until(async () => (await leases.shares(one))[0] === 64, 25_000);
      expect(waitedMs).toBeGreaterThan(5_000);
      expect(waitedMs).toBeLessThan(20_000);
      await receiver.received(240);
      const before = await leases.tokens();
      two.signal("SIGCONT");
      // It notices that it lost all leases, and gets its share back by rebalancing.
      await until(async () => (await leases.shares(one, two)).every((share) => share === 32));
      // Partitions that moved back have new fencing tokens.
      const after = await leases.tokens();
      expect(after.filter((token, index) => token !== before[index]).length).toBe(32);
      expect(new Set(after).size).toBe(64);
      await publishOrders([api], { first: 240, last: 480, sites });
      await receiver.received(480);
      // Each answered attempt of the stopped worker was sent once more by the other, as after a crash.
      expect(Math.max(...receiver.seen.values())).toBeLessThanOrEqual(2);
      for (const worker of [one, two]) expect((await worker.stop()).code).toBe(0);
    },
  );
});
