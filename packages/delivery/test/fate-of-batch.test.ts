import type { Check } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it, onTestFinished } from "vitest";
import { renderDeliveryRow } from "../src/rows/delivery-row.ts";
import { keys } from "../src/rows/keys.ts";
import { fateOfBatch } from "../src/scheduler/recording/fate-of-batch.ts";
import { queueKeyOf } from "../src/scheduler/turns/finished.ts";
import type { Finished } from "../src/scheduler/turns/finished.ts";
import { accountId, partition } from "./support/fake-world.ts";
import { createFinishedTurns } from "./support/finished-turns.ts";

const turns = createFinishedTurns({ now: () => Date.UTC(2026, 10, 20, 9, 30) });
const lease: Check = { key: keys.lease(partition), value: "ours" };

interface Left {
  readonly holder?: string;
  readonly queued?: Finished;
  /** Whose attempt its row holds. */
  readonly recorded?: { readonly of: Finished; readonly attempt: Finished; readonly change?: object };
}

/** What is said of a batch, where the store holds this when it is asked. */
async function fate(batch: readonly Finished[], { holder = "ours", queued, recorded }: Left) {
  const store = memoryStore();
  onTestFinished(() => store.close());
  const rows = [[lease.key, holder] as const];
  if (queued !== undefined) rows.push([queueKeyOf(queued), "queued"]);
  if (recorded?.attempt.outcome.type === "attempted") {
    const { delivery } = recorded.of;
    const attempts = [{ ...recorded.attempt.outcome.attempt, ...recorded.change }];
    rows.push([keys.delivery(accountId, delivery.id), renderDeliveryRow({ ...delivery, attempts })]);
  }
  const mutations = rows.map(([key, value]) => ({ type: "set", key, value }) as const);
  await store.commit(partition, { mutations });
  return fateOfBatch(store, { batch, lease });
}

const one = turns.accepted();

it("a batch is open while its delivery waits in the queue, and a check of that holds until it happens", async () => {
  const open = { type: "open", check: { key: queueKeyOf(one), value: "queued" } };
  expect(await fate([one, turns.failed()], { queued: one })).toEqual(open);
  expect(await fate([one], { queued: one, holder: "another" })).toEqual(open);
});

it("a batch is recorded where the delivery has left the queue under the lease, though its row is gone", async () => {
  expect(await fate([one], {})).toEqual({ type: "recorded" });
});

it("where another holds the lease, the attempt in the row tells: by its signature and its time", async () => {
  const holder = "another";
  const recorded = { of: one, attempt: one };
  expect(await fate([one], { holder, recorded })).toEqual({ type: "recorded" });
  for (const change of [{ signature: "another" }, { started_at: 7 }]) {
    expect(await fate([one], { holder, recorded: { ...recorded, change } })).toEqual({ type: "superseded" });
  }
  expect(await fate([one], { holder })).toEqual({ type: "superseded" });
});

it("of a batch an attempt tells rather than what was cancelled, which leaves no trace of its own", async () => {
  const cancelled = turns.cancelled();
  const left = { holder: "another", recorded: { of: one, attempt: one } };
  expect(await fate([cancelled, one], left)).toEqual({ type: "recorded" });
  expect(await fate([cancelled], left)).toEqual({ type: "superseded" });
});

it("of an empty batch nothing is left to be done", async () => {
  expect(await fate([], { holder: "another" })).toEqual({ type: "recorded" });
});
