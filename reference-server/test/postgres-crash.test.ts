import { openPostgresStore } from "@hookwright/storage/postgres";
import { createHookwright } from "hookwright";
import { describe, expect, it } from "vitest";
import { createSeededRandom } from "../../packages/hookwright/test/simulation/seeded-random.ts";
import { seed } from "../../scripts/test/support/seed.ts";
import { publishEvents } from "./support/crash-load.ts";
import { startCrashReceiver } from "./support/crash-receiver.ts";
import { environmentOn, startOn, until } from "./support/fleet.ts";
import { createAccount, createWebhook } from "./support/host-api.ts";
import { hasPostgresServer, startPostgresServer } from "./support/postgres-server.ts";

const rounds = Number(process.env["HOOKWRIGHT_POSTGRES_CRASH_ROUNDS"] ?? 2);
const streams = 4;
const eventsInCall = 8;
const webhooks = ["steady", "flaky"];
/** The maximum number of attempts of one webhook that are started but not recorded. */
const maximumUnrecorded = 512;

describe.runIf(hasPostgresServer)("a PostgreSQL that is stopped at once under load", () => {
  it(
    `${rounds} times loses no acknowledged event, and its server recovers without a restart`,
    { timeout: 180_000 + rounds * 10_000 },
    async () => {
      const random = createSeededRandom(seed);
      await using postgres = await startPostgresServer();
      await using receiver = await startCrashReceiver();
      await using server = await startOn(postgres.url);
      const { apiKey } = await createAccount(server);
      for (const path of webhooks)
        await createWebhook(server, { token: apiKey, url: `${receiver.url}/${path}` });
      const acknowledged: string[] = [];
      let published = 0;
      let isPublishing = true;

      /** Publishes all the time. The outcome of a call that fails is unknown. */
      async function publishStream(): Promise<void> {
        while (isPublishing) {
          const numbers = Array.from({ length: eventsInCall }, () => (published += 1));
          const answers = await publishEvents(server, numbers).catch(() => undefined);
          if (answers === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
          else acknowledged.push(...answers.flatMap(({ deliveries }) => deliveries));
        }
      }

      const publishing = Promise.all(Array.from({ length: streams }, publishStream));
      for (let round = 0; round < rounds; round++) {
        const before = acknowledged.length;
        await until(() => acknowledged.length > before, 60_000);
        await new Promise((resolve) => setTimeout(resolve, random() * 500));
        // What `pg_ctl stop -m immediate` sends: no checkpoint, and open transactions are lost.
        await postgres.stop("SIGQUIT");
        await postgres.start();
      }
      const before = acknowledged.length;
      await until(() => acknowledged.length > before, 60_000);
      isPublishing = false;
      await publishing;
      await until(() => acknowledged.every((id) => receiver.accepted.has(id)), 60_000);

      // Also events whose acknowledgement was lost may be in the store.
      await using store = await openPostgresStore({ url: postgres.url });
      const secret = environmentOn(postgres.url)["HOOKWRIGHT_SECRET"] ?? "";
      await using reader = await createHookwright({ store, secret, role: "api" });
      const committed = async () => {
        const found: { readonly id: string; readonly status: string }[] = [];
        for (let cursor: string | undefined; ;) {
          const page = await reader.deliveries.list("acc_1", {}, { limit: 100, cursor });
          found.push(...page.rows);
          cursor = page.meta.next_cursor ?? undefined;
          if (cursor === undefined) return found;
        }
      };
      await until(async () => (await committed()).every(({ status }) => status === "delivered"), 60_000);
      const ids = (await committed()).map(({ id }) => id);
      expect(ids.filter((id) => !receiver.accepted.has(id))).toEqual([]);
      const stored = new Set(ids);
      expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);

      const repeated = [...receiver.accepted.values()].reduce((sum, times) => sum + times - 1, 0);
      expect(repeated).toBeLessThanOrEqual(rounds * webhooks.length * maximumUnrecorded);
      console.log(
        `PostgreSQL crash: ${rounds} stops, ${ids.length} deliveries committed, ${acknowledged.length} acknowledged, 0 lost, ${repeated} accepted again`,
      );
      expect((await server.stop()).code).toBe(0);
    },
  );
});
