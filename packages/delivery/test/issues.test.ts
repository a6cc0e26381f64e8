import { StorageError } from "@hookwright/storage";
import { expect, it } from "vitest";
import { advanceIssues, hasFailure, parseIssues } from "../src/issues/issue.ts";
import { listIssues } from "../src/issues/list-issues.ts";
import { listDeliveries } from "../src/log/delivery-log.ts";
import type { DeliveryRow } from "../src/storage/delivery-row.ts";
import { answered, noAnswer } from "./support/fake-transport.ts";
import { accountId, createWorld } from "./support/fake-world.ts";
import { toFaultyStore } from "./support/faulty-store.ts";

const dayMs = 24 * 3_600_000;

async function openWorld() {
  const world = createWorld({ wrapStore: toFaultyStore });
  await world.addWebhook("wh_1");
  const worker = world.worker({ retryDelaysSeconds: [15] });
  await worker.start();
  const send = async (...recordIds: string[]) => {
    const deliveries = await world.publish("wh_1", ...recordIds);
    worker.offer(accountId, deliveries);
    await world.clock.advance(0);
    return deliveries.map(({ id }) => id);
  };
  const answer = (status: number, excerpt: string) =>
    world.transport.answerWith(() => ({ ...answered(status), excerpt }));
  const issues = async () => (await listIssues(world.store, accountId)).get("wh_1") ?? [];
  /** The ids of the deliveries of an issue. */
  const deliveriesOf = async (line: string) => {
    const rows = await issues();
    const issue = rows.find((row) => row.line === line);
    if (issue === undefined) throw new Error(`no issue ${line}`);
    const filters = { issue: { webhook_id: "wh_1", issue, rows } };
    const { deliveries } = await listDeliveries(world.store, {
      accountId,
      filters,
      before: undefined,
      limit: 100,
    });
    return deliveries.map(({ id }) => id).toSorted();
  };
  return { world, worker, send, answer, issues, deliveriesOf };
}

it("equal failures are one issue, and its filter finds exactly its deliveries", async () => {
  const { world, worker, send, answer, issues, deliveriesOf } = await openWorld();
  const startedAt = world.clock.now();
  answer(500, '{"error": "order 17 of ada@example.com not found"}');
  const failing = await send("ord_1", "ord_2");
  answer(503, "<html><title>Busy</title>");
  const [busy = ""] = await send("ord_3");
  answer(200, "ok");
  await send("ord_4");
  answer(500, '{"error": "order 18 of bob@example.com not found"}');
  await world.clock.advance(15_000);
  world.transport.answerWith(noAnswer);
  const [silent = ""] = await send("ord_5");
  await worker.close();

  const line = '{"error": "order # of …@… not found"}';
  expect(await issues()).toMatchObject([
    { status: 503, error: "status", line: "Busy", deliveries: 1, attempts: 1 },
    {
      status: 500,
      error: "status",
      line,
      deliveries: 3,
      attempts: 5,
      first_at: startedAt,
      since: startedAt,
      last_at: startedAt + 15_000,
    },
    { status: null, error: "timeout", line: "", last_delivery: silent },
  ]);
  expect(await deliveriesOf(line)).toEqual([...failing, busy].toSorted());
  expect(await deliveriesOf("Busy")).toEqual([busy]);
});

/** A delivery whose attempts were answered with 500 and these texts. */
function failed(...excerpts: readonly string[]): DeliveryRow {
  const attempts = excerpts.map((excerpt) => ({ status: 500, error: "status", excerpt, body: "{}" }));
  return Object.assign(Object.create(null), {
    id: excerpts.at(-1),
    webhook_id: "wh_1",
    kind: "event",
    created_at: 0,
    attempts,
  });
}

function advance(text: string | undefined, deliveries: readonly DeliveryRow[], now: number) {
  const after = advanceIssues({ text }, deliveries, now);
  return { text: after, rows: parseIssues(after) };
}

const letters = [..."abcdefghijklmnopqrstuvw"];

it("after twenty issues of a webhook, further failures are one issue", () => {
  const deliveries = letters.map((letter) => failed(`no ${letter}`));
  const { text, rows } = advance(undefined, deliveries, 1);
  expect(rows).toHaveLength(21);
  expect(rows.at(-1)).toMatchObject({ status: null, error: null, deliveries: 3, attempts: 3 });
  const [issue] = rows.slice(20);
  const found = deliveries.filter((row) => issue && hasFailure(row, { webhook_id: "wh_1", issue, rows }));
  expect(found).toEqual(deliveries.slice(20));
  // A retry that fails as before is the same delivery.
  const again = advance(text, [failed("no x", "no y"), failed("no a", "no z")], 2);
  expect(again.rows.at(-1)).toMatchObject({ error: null, deliveries: 4, attempts: 5 });
});

it("a delivery whose responses the log does not keep is found under the issues of its status", () => {
  const { rows } = advance(undefined, [failed("no a"), failed("no b")], 1);
  const delivery = failed("");
  const [attempt] = delivery.attempts;
  const unread = {
    ...delivery,
    attempts: attempt ? [{ ...attempt, body: { gone: "not_kept" as const } }] : [],
  };
  const of = (issue: (typeof rows)[number]) => hasFailure(unread, { webhook_id: "wh_1", issue, rows });
  expect(rows.map(of)).toEqual([true, true]);
  expect(rows.map((row) => of({ ...row, status: 503 }))).toEqual([false, false]);
});

it("an issue that comes again after a day begins anew, and one that stays away gives way to another", () => {
  const before = advance(
    undefined,
    letters.slice(0, 20).map((letter) => failed(`no ${letter}`)),
    1,
  );
  const { rows } = advance(before.text, [failed("no a"), failed("no z")], 1 + dayMs);
  expect(rows).toHaveLength(20);
  expect(rows.at(-2)).toMatchObject({ line: "no a", first_at: 1, since: 1 + dayMs, deliveries: 2 });
  expect(rows.at(-1)).toMatchObject({ line: "no z", deliveries: 1 });
  expect(rows.map(({ line }) => line)).not.toContain("no b");
});

it("a commit with an unknown outcome counts a failure once", async () => {
  const { world, worker, send, answer, issues } = await openWorld();
  let failures = 0;
  world.store.onCommit = async (_, commit, commitNow) => {
    const committed = await commitNow();
    if (commit.mutations.some(({ key }) => key[1] === "issues") && failures++ === 0)
      throw new StorageError("unavailable", "no answer");
    return committed;
  };
  answer(500, "down");
  await send("ord_1");
  await world.clock.advance(1_000);
  await worker.close();
  expect(failures).toBe(1);
  expect(await issues()).toMatchObject([{ line: "down", attempts: 1 }]);
});

it("a webhook that never fails has no issues to read or write, and a removed one keeps none", async () => {
  const { world, worker, send, answer, issues } = await openWorld();
  const tables = new Set<unknown>();
  world.store.onGetMany = (keys, next) => {
    for (const key of keys) tables.add(key[1]);
    return next();
  };
  await send("ord_1");
  expect(tables).not.toContain("issues");
  answer(500, "down");
  await send("ord_2");
  expect(tables).toContain("issues");
  expect(await issues()).toHaveLength(1);
  await world.removeWebhook("wh_1");
  expect(await issues()).toEqual([]);
  await worker.close();
});
