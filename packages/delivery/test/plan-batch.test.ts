import { expect, it } from "vitest";
import { keys } from "../src/rows/keys.ts";
import { unknownHealth } from "../src/rows/webhook-row.ts";
import type { WebhookHealthRow, WebhookRow } from "../src/rows/webhook-row.ts";
import type { WebhookTexts } from "../src/scheduler/recording/known-webhooks.ts";
import { attemptedLanes, planBatch } from "../src/scheduler/recording/plan-batch.ts";
import type { Finished } from "../src/scheduler/turns/finished.ts";
import { accountId, event } from "./support/fake-world.ts";
import { createFinishedTurns } from "./support/finished-turns.ts";

const now = Date.UTC(2026, 10, 20, 9, 30);
const turns = createFinishedTurns({ now: () => now });
const healthKey = keys.webhookHealth(accountId, "wh_1");

/** The rows of an active webhook that has failed so often. */
function textsOf(webhookId: string, consecutiveFailures = 0): WebhookTexts {
  const row: WebhookRow = {
    id: webhookId,
    event,
    target_url: `https://${webhookId}.example.com/hooks`,
    project_id: null,
    status: "active",
    created_at: now,
    created_by: { type: "console", key_id: null, name: null, integration: false },
  };
  const health: WebhookHealthRow = { ...unknownHealth, consecutive_failures: consecutiveFailures };
  return { row: JSON.stringify(row), health: JSON.stringify(health), guard: "7" };
}

function plan(batch: readonly Finished[], texts: readonly WebhookTexts[]) {
  const lanes = attemptedLanes(batch);
  return planBatch(batch, { lanes, texts, now, retryDelaysSeconds: [15], random: () => 0.5 });
}

function statusesOf({ announcement }: ReturnType<typeof plan>): string[] {
  return announcement.recorded.map(({ delivery }) => delivery.status);
}

it("many attempts at one webhook write its counters once, as they are after the last of them", () => {
  const batch = [turns.failed(), turns.accepted(), turns.failed(), turns.failed()];
  const { mutations, checks, left, announcement } = plan(batch, [textsOf("wh_1", 3)]);
  const written = mutations.filter(({ key }) => key[1] === "webhook-health");
  const health = JSON.stringify({
    consecutive_failures: 2,
    last_warning_at: null,
    last_success_at: now,
    last_failure_at: now,
  });
  expect(written).toEqual([{ type: "set", key: healthKey, value: health }]);
  expect(checks).toContainEqual({ key: healthKey, value: textsOf("wh_1", 3).health });
  expect(left).toEqual([{ webhookId: "wh_1", texts: { ...textsOf("wh_1"), health } }]);
  expect(announcement.recorded.map(({ finished }) => finished)).toEqual(batch);
});

it("attempts count in the order in which they ended: an acceptance before the thirtieth failure keeps a webhook on", () => {
  const thirtieth = plan([turns.failed(), turns.accepted()], [textsOf("wh_1", 29)]);
  expect(thirtieth.announcement.notices.map(({ type }) => type)).toEqual(["switched_off"]);
  const [before] = thirtieth.left;
  expect(JSON.parse(before?.texts.row ?? "")).toMatchObject({ status: "switched_off" });

  const first = plan([turns.accepted(), turns.failed()], [textsOf("wh_1", 29)]);
  expect(first.announcement.notices).toEqual([]);
  expect(first.left.map(({ texts }) => texts.row)).toEqual([textsOf("wh_1").row]);
});

it("behind an answer of 410 what would be tried again is cancelled, and the webhook is removed", () => {
  const before = turns.failed();
  const batch = [before, turns.gone(), turns.failed(), turns.accepted()];
  const planned = plan(batch, [textsOf("wh_1")]);
  expect(statusesOf(planned)).toEqual(["pending", "failed", "cancelled", "delivered"]);
  expect(planned.left).toEqual([
    { webhookId: "wh_1", texts: { row: undefined, health: undefined, guard: "8" } },
  ]);
  expect(planned.mutations).toContainEqual({ type: "delete", key: keys.webhook(accountId, event, "wh_1") });
  expect(planned.checks).toContainEqual({ key: keys.webhookGuard(accountId), value: "7" });
});

it("what is cancelled changes no webhook and checks none; webhooks beside each other are told apart", () => {
  const batch = [
    turns.cancelled({ webhookId: "wh_1" }),
    turns.failed({ webhookId: "wh_2" }),
    turns.accepted({ webhookId: "wh_3" }),
  ];
  expect(attemptedLanes(batch).map(({ webhookId }) => webhookId)).toEqual(["wh_2", "wh_3"]);
  const planned = plan(batch, [textsOf("wh_2"), textsOf("wh_3", 4)]);
  expect(statusesOf(planned)).toEqual(["cancelled", "pending", "delivered"]);
  const failures = planned.left.map(({ texts }) => JSON.parse(texts.health ?? "").consecutive_failures);
  expect(failures).toEqual([1, 0]);
  const named = [...planned.checks, ...planned.mutations].filter(({ key }) => key[1] === "webhook-health");
  expect(named.map(({ key }) => key.at(-1)).toSorted()).toEqual(["wh_2", "wh_2", "wh_3", "wh_3"]);
});

it("an attempt at a webhook that is gone is logged, counts nowhere and is not made again", () => {
  const gone = { row: undefined, health: undefined, guard: "7" };
  const planned = plan([turns.failed()], [gone]);
  expect(statusesOf(planned)).toEqual(["cancelled"]);
  expect(planned.left).toEqual([{ webhookId: "wh_1", texts: gone }]);
  expect(planned.mutations.filter(({ key }) => key[1] === "webhook-health")).toEqual([]);
});
