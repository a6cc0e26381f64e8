import { setTimeout as delay } from "node:timers/promises";
import { openPostgresStore } from "@hookwright/storage/postgres";
import { createHookwright } from "hookwright";
import { Pool } from "pg";
import { describe, expect, it } from "vitest";
import { createDemoOrder } from "../src/demo/demo-order.ts";
import { startCountingReceiver } from "./support/counting-receiver.ts";
import { until } from "./support/fleet.ts";
import { hasPostgresServer, startPostgresServer } from "./support/postgres-server.ts";

/** Counts the statements that a pool runs, by the function that they call. Each is one round trip and one transaction. */
function countStatements(pool: Pool) {
  const counts = new Map<string, number>();
  const counted = new WeakSet<object>();
  pool.on("acquire", (client) => {
    if (counted.has(client)) return;
    counted.add(client);
    const query = client.query.bind(client);
    Object.assign(client, {
      query(statement: { readonly text: string }) {
        const name = /\.(\w+)\(/u.exec(statement.text)?.[1] ?? statement.text;
        counts.set(name, (counts.get(name) ?? 0) + 1);
        return query(statement);
      },
    });
  });
  return {
    take(): Record<string, number> {
      const taken = Object.fromEntries(counts);
      counts.clear();
      return taken;
    },
  };
}

describe.runIf(hasPostgresServer)(
  "statements of whole deliveries, from publish to the recorded result",
  () => {
    it.each([
      { deliveries: 1, commits: 3, reads: 6 },
      { deliveries: 10, commits: 12, reads: 16 },
      { deliveries: 500, commits: 75, reads: 150 },
    ])(
      "$deliveries published together need at most $commits commits and $reads reads",
      async (limits) => {
        await using postgres = await startPostgresServer();
        await using receiver = await startCountingReceiver();
        const pool = new Pool({ connectionString: postgres.url });
        // The server stops before the last connections have closed.
        pool.on("error", () => {});
        const statements = countStatements(pool);
        {
          await using store = await openPostgresStore({ pool, sweepIntervalMs: 3_600_000 });
          await using hookwright = await createHookwright({
            store,
            secret: "s".repeat(32),
            privateTargets: true,
          });
          await hookwright.accounts.put("acc_1", { email: "one@example.com" });
          await hookwright.projects.put("site_1", { account_id: "acc_1", name: "One" });
          await hookwright.webhooks.create(
            { accountId: "acc_1", credential: { type: "console" } },
            { event: "order.created", target_url: receiver.url },
          );
          let published = 0;
          const deliver = async (count: number): Promise<void> => {
            const recorded = hookwright.scheduler.stats.recorded + count;
            const publish = () => {
              const id = `ord_${(published += 1)}`;
              const data = createDemoOrder({ id, number: id, createdAt: Date.now() });
              return hookwright.publish({ event: "order.created", project_id: "site_1", data });
            };
            await Promise.all(Array.from({ length: count }, publish));
            await until(() => hookwright.scheduler.stats.recorded === recorded);
          };
          // The first deliveries read the account, the webhook and its secret. A start also looks once for notices in each partition.
          await deliver(5);
          for (let idle = false; !idle;) {
            statements.take();
            await delay(100);
            idle = (statements.take()["list_rows"] ?? 0) < 3;
          }
          // The worker also reads at intervals, and on a busy machine more intervals end in one round.
          // Therefore the best of five rounds counts.
          const rounds: { readonly commits: number; readonly reads: number }[] = [];
          for (let round = 0; round < 5; round += 1) {
            statements.take();
            await deliver(limits.deliveries);
            const counts = statements.take();
            const { apply_commits: commits = 0, read_rows = 0, list_rows = 0 } = counts;
            rounds.push({ commits, reads: read_rows + list_rows });
          }
          const commits = rounds.map((round) => round.commits);
          expect(Math.min(...commits)).toBeGreaterThan(0);
          expect(Math.min(...commits)).toBeLessThanOrEqual(limits.commits);
          expect(Math.min(...rounds.map(({ reads }) => reads))).toBeLessThanOrEqual(limits.reads);
          expect(receiver.duplicates).toBe(0);
        }
        await pool.end();
      },
      60_000,
    );
  },
);
