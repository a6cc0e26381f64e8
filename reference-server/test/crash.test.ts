import type { Store } from "@hookwright/storage";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { openPostgresStore } from "@hookwright/storage/postgres";
import { openRedisStore } from "@hookwright/storage/redis";
import { openUnstorageStore } from "@hookwright/storage/unstorage";
import { createHookwright } from "hookwright";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import { describe, expect, it } from "vitest";
import { createSeededRandom } from "../../packages/hookwright/test/simulation/seeded-random.ts";
import { seed } from "../../scripts/test/support/seed.ts";
import { publishEvents } from "./support/crash-load.ts";
import { startCrashReceiver } from "./support/crash-receiver.ts";
import { until } from "./support/fleet.ts";
import { call, createAccount, hostToken } from "./support/host-api.ts";
import { makeFolder } from "./support/make-folder.ts";
import { hasPostgresServer, startPostgresServer } from "./support/postgres-server.ts";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";
import { startServer } from "./support/server-process.ts";
import type { ServerProcess } from "./support/server-process.ts";

/** The number of kills on each storage: in `npm test` of the filesystem alone. */
const rounds = Number(process.env["HOOKWRIGHT_CRASH_ROUNDS"] ?? 2);

/** A storage that outlives its servers. */
interface Place extends AsyncDisposable {
  /** The value of `--storage`. */
  readonly storage: string;
  openStore(): Promise<Store>;
  /** Resolves when nothing of a killed server can still be written. */
  quiet(): Promise<void>;
}

/** A folder that a server opens as `storage` names it. */
async function openFolder(
  name: (folder: string) => string,
  open: (folder: string) => Promise<Store>,
): Promise<Place> {
  const folder = await makeFolder();
  return {
    storage: name(folder),
    openStore: () => open(folder),
    quiet: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

const openDirectory = () =>
  openFolder(
    (directory) => `file:${directory}`,
    (directory) => openFilesystemStore({ directory }),
  );

const openItems = () =>
  openFolder(
    (base) => `unstorage:fs?base=${encodeURIComponent(base)}`,
    (base) => openUnstorageStore({ storage: createStorage({ driver: fsDriver({ base }) }) }),
  );

async function openDatabase(): Promise<Place> {
  const postgres = await startPostgresServer();
  return {
    storage: postgres.url,
    openStore: () => openPostgresStore({ url: postgres.url }),
    // PostgreSQL finishes the statements of a dead client.
    async quiet() {
      const others = `select pid from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()`;
      await until(async () => (await postgres.run(others)).length === 0);
    },
    [Symbol.asyncDispose]: () => postgres[Symbol.asyncDispose](),
  };
}

async function openRedis(): Promise<Place> {
  const redis = await startRedisServer();
  return {
    storage: redis.url,
    openStore: () => openRedisStore({ url: redis.url }),
    // Redis runs the commands that it has read of a dead client.
    async quiet() {
      await until(async () => redis.run("client", "list").trim().split("\n").length === 1);
    },
    [Symbol.asyncDispose]: () => redis[Symbol.asyncDispose](),
  };
}

const places = [
  { name: "filesystem", isInstalled: true, open: openDirectory },
  { name: "unstorage's fs", isInstalled: true, open: openItems },
  {
    name: "PostgreSQL",
    isInstalled: hasPostgresServer,
    open: openDatabase,
  },
  { name: "Redis", isInstalled: hasRedisServer, open: openRedis },
];
const streams = 4;
const eventsInCall = 8;
const webhooks = ["steady", "flaky", "ordered"];
/** The maximum number of attempts of one webhook that are started but not recorded. */
const maximumUnrecorded = 512;
const secret = "the secret of the server that is killed";
const env = {
  HOOKWRIGHT_SECRET: secret,
  HOOKWRIGHT_HOST_TOKEN: hostToken,
  HOOKWRIGHT_PRIVATE_TARGETS: "allow",
  HOOKWRIGHT_RETRY_DELAYS: "0.2,0.2,0.2,0.2,0.2",
};

describe.each(places)("on $name", ({ name, isInstalled, open }) => {
  it.runIf(isInstalled)(
    `${rounds} kills at random moments lose no acknowledged event, repeat only attempts that were not recorded, and keep the order`,
    // Tests of the other adapters kill a process that writes, too.
    { tags: name === "filesystem" ? [] : ["long"], timeout: 60_000 + rounds * 10_000 },
    async () => {
      const random = createSeededRandom(seed);
      await using place = await open();
      const { storage, openStore } = place;
      await using receiver = await startCrashReceiver();
      const start = (): Promise<ServerProcess> => startServer({ args: ["serve", "--storage", storage], env });
      /** The delivery ids of each acknowledged event, by body id. */
      const acknowledged = new Map<string, readonly string[]>();
      /** The body ids that each stream published, in order. */
      const streamed: string[][] = [];
      /** How often each delivery was accepted but not recorded when the server died. */
      const unrecorded = new Map<string, number>();
      let published = 0;

      /** Publishes until the server dies. Requests in flight were not acknowledged, so their outcome is unknown. */
      async function publishStream(server: ServerProcess): Promise<void> {
        const ids: string[] = [];
        streamed.push(ids);
        for (;;) {
          const numbers = Array.from({ length: eventsInCall }, () => (published += 1));
          const answers = await publishEvents(server, numbers).catch(() => undefined);
          if (answers === undefined) return;
          for (const { id, deliveries } of answers) acknowledged.set(id, deliveries);
          ids.push(...answers.map(({ id }) => id));
        }
      }

      /** Reads the storage of the dead server to find accepted deliveries that were not recorded. */
      async function noteUnrecorded(): Promise<void> {
        await receiver.quiet();
        await place.quiet();
        await using store = await openStore();
        await using hookwright = await createHookwright({ store, secret, role: "api" });
        const ofWebhook = new Map<string, number>();
        for (const id of receiver.takeAccepted()) {
          const { status, webhook_id: webhookId } = await hookwright.deliveries.get("acc_1", id);
          if (status === "delivered") continue;
          unrecorded.set(id, (unrecorded.get(id) ?? 0) + 1);
          ofWebhook.set(webhookId, (ofWebhook.get(webhookId) ?? 0) + 1);
        }
        expect(Math.max(0, ...ofWebhook.values())).toBeLessThanOrEqual(maximumUnrecorded);
      }

      {
        await using server = await start();
        await createAccount(server);
        for (const path of webhooks)
          await call(server, "/host/v1/accounts/acc_1/webhooks", {
            method: "POST",
            body: {
              event: "order.created",
              target_url: `${receiver.url}/${path}`,
              ordered: path === "ordered",
            },
          });
        await server.stop();
      }

      for (let round = 0; round < rounds; round++) {
        await using server = await start();
        const publishing = Promise.all(Array.from({ length: streams }, () => publishStream(server)));
        const acknowledgedBefore = acknowledged.size;
        await until(() => acknowledged.size > acknowledgedBefore);
        await new Promise((resolve) => setTimeout(resolve, random() * 250));
        await server.kill9();
        await publishing;
        await noteUnrecorded();
      }

      await using last = await start();
      const deliveries = [...acknowledged.values()].flat();
      expect(deliveries.length).toBe(acknowledged.size * webhooks.length);
      const timesOwed = new Map(deliveries.map((id) => [id, 1]));
      for (const [id, times] of unrecorded) timesOwed.set(id, times + 1);
      await until(
        () => [...timesOwed].every(([id, times]) => (receiver.accepted.get(id) ?? 0) >= times),
        60_000,
      );
      await last.stop();

      await using store = await openStore();
      await using hookwright = await createHookwright({ store, secret, role: "api" });
      const fates = new Map<string, number>();
      /** The body ids that the ordered webhook accepted, by delivery id. */
      const ordered = new Map<string, string>();
      for (const id of deliveries) {
        const { status, target_url: url, body_id: bodyId } = await hookwright.deliveries.get("acc_1", id);
        fates.set(status, (fates.get(status) ?? 0) + 1);
        if (url.endsWith("/ordered")) ordered.set(id, bodyId);
      }
      expect(Object.fromEntries(fates)).toEqual({ delivered: deliveries.length });
      const accepted = [...receiver.accepted.keys()].flatMap((id) => ordered.get(id) ?? []);
      for (const ids of streamed) {
        const ofStream = new Set(ids);
        expect(accepted.filter((id) => ofStream.has(id))).toEqual(ids);
      }

      console.log(
        `crash on ${name}: ${rounds} kills, ${acknowledged.size} events acknowledged, ${deliveries.length} deliveries, 0 lost, ${unrecorded.size} accepted again`,
      );
      // A delivery is accepted again exactly as often as its result was lost in a crash.
      const acceptedAgain = [...receiver.accepted].filter(([, times]) => times > 1);
      expect(new Map(acceptedAgain.map(([id, times]) => [id, times - 1]))).toEqual(unrecorded);
    },
  );
});
