import { partitionOf } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "hookwright";
import type { Hookwright } from "hookwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoNames } from "../src/demo/demo-names.ts";
import { startReceiver } from "../src/demo/receiver.ts";
import type { Receiver } from "../src/demo/receiver.ts";
import { writeHistory } from "../src/demo/write-history.ts";

const { accountId } = demoNames;
const store = memoryStore();
const secrets = { secret: "s".repeat(32), previousSecrets: [] };
let receiver: Receiver;
let hookwright: Hookwright;
beforeAll(async () => {
  receiver = await startReceiver({ now: () => 0 });
  await writeHistory({ store, secrets, receiver, now: Date.now });
  hookwright = await createHookwright({ store, ...secrets, role: "api" });
}, 60_000);
afterAll(async () => {
  await hookwright.close();
  await receiver.close();
});

it("the history of the demo fills each hour of the day, and its rows agree with the ledger", async () => {
  const { totals, series } = await hookwright.accounts.ledger(accountId);
  expect(new Set(series.filter(({ due }) => due > 0).map(({ at }) => at.slice(0, 13))).size).toBeGreaterThan(
    22,
  );
  expect(totals.due).toBeGreaterThan(500);
  expect(totals.delivered / totals.due).toBeGreaterThan(0.85);
  const rows = new Map<string, number>();
  let cursor: string | undefined;
  do {
    const page = await hookwright.deliveries.list(accountId, {}, { limit: 100, cursor });
    for (const { status } of page.rows) rows.set(status, (rows.get(status) ?? 0) + 1);
    cursor = page.meta.next_cursor ?? undefined;
  } while (cursor !== undefined);
  expect(Object.fromEntries(rows)).toEqual({
    delivered: totals.delivered,
    failed: totals.failed,
    pending: totals.pending,
  });
});

it("one endpoint of the demo has failed for less than two hours, the others work, and none is disabled", async () => {
  const { rows } = await hookwright.webhooks.listForConsole(accountId, { limit: 10 });
  const broken = rows.find(({ name }) => name === "Demo: broken");
  expect(rows.map(({ status }) => status)).toEqual(["active", "active", "active"]);
  expect(broken?.consecutive_failures).toBeGreaterThan(5);
  expect(Date.parse(broken?.last_success_at ?? "")).toBeGreaterThan(Date.now() - 2.5 * 3_600_000);
  expect(rows.find(({ name }) => name === "Demo: ok")?.consecutive_failures).toBe(0);
});

it("a second start writes no history", async () => {
  const before = await hookwright.accounts.ledger(accountId);
  await writeHistory({ store, secrets, receiver, now: Date.now });
  expect(await hookwright.accounts.ledger(accountId)).toEqual(before);
});

it("a start that ended while it wrote the history is repeated as a whole", async () => {
  const retried = memoryStore();
  const owner = partitionOf(accountId);
  const commits: string[] = [];
  const write = (fails: boolean) =>
    writeHistory({
      store: {
        ...retried,
        commit(partition, commit) {
          if (fails && partition === owner) throw new Error("killed");
          commits.push(partition);
          return retried.commit(partition, commit);
        },
      },
      secrets,
      receiver,
      now: Date.now,
    });
  await expect(write(true)).rejects.toThrow("killed");
  await write(false);
  expect(commits.filter((partition) => partition === owner)).toHaveLength(1);
  expect(commits.at(-1)).toBe(owner);
  await using again = await createHookwright({ store: retried, ...secrets, role: "api" });
  const { rows } = await again.webhooks.listForConsole(accountId, { limit: 10 });
  expect(rows.map(({ name }) => name).toSorted()).toEqual(["Demo: broken", "Demo: flaky", "Demo: ok"]);
  expect((await again.accounts.ledger(accountId)).totals.due).toBeGreaterThan(500);
}, 60_000);
