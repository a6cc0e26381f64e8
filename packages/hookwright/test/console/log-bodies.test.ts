import { sampleDeliveryBody } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { openConsole } from "../support/open-console.ts";
import type { World } from "../support/open-console.ts";

/** Publishes a review of `site_1` with this text. */
async function publishText(world: World, recordId: string, text: string): Promise<void> {
  await world.hookwright.publish({
    event: "review.submitted",
    project_id: "site_1",
    data: { ...sampleDeliveryBody("review.submitted").data, id: recordId, content: text, title: text },
  });
}

async function resendFirst(world: World): Promise<void> {
  const { rows } = await world.ask("GET /console/api/deliveries?kind=event&limit=100");
  await world.ask(`POST /console/api/deliveries/${String(rows.at(-1)?.["id"])}/resend`);
}

async function receivedInAll(world: World, count: number): Promise<void> {
  await expect.poll(() => world.received.length).toBe(count);
  await expect.poll(() => world.hookwright.scheduler.stats.unrecorded).toBe(0);
}

it("the log shows each request exactly as it was sent, even after its record and its site changed", async () => {
  await using world = await openConsole({ retryDelaysSeconds: [0.05] });
  const { path } = await world.createWebhook();
  world.answerWith(500);
  await publishText(world, "rev_1", "first");
  await expect.poll(() => world.received.length).toBeGreaterThan(0);
  // The record and its site's name change between the two attempts of one delivery.
  await publishText(world, "rev_1", "second");
  await world.hookwright.projects.put("site_1", { name: "Shop “Zwei”" });
  await receivedInAll(world, 2);
  world.answerWith(204);
  await resendFirst(world);
  await receivedInAll(world, 3);
  await publishText(world, "rev_1", "second");
  await publishText(world, "rev_1", "third");
  await resendFirst(world);
  await receivedInAll(world, 4);
  await world.hookwright.records.remove("acc_1", "reviews", "rev_1");
  await publishText(world, "rev_1", "another of that name");
  await receivedInAll(world, 5);
  await publishText(world, "rev_1", "another, changed");
  await world.ask(`POST ${path}/test`);
  await receivedInAll(world, 6);
  await world.hookwright.records.remove("acc_1", "reviews", "rev_1");

  const { rows } = await world.ask("GET /console/api/deliveries?limit=100");
  expect(rows).toHaveLength(5);
  const shown = [];
  const attemptIds = new Set<unknown>();
  for (const { id } of rows.toReversed()) {
    const detail = await world.ask(`GET /console/api/deliveries/${String(id)}`);
    const { attempts } = detail.data;
    if (!Array.isArray(attempts)) throw new Error("a delivery has attempts");
    for (const { id: attemptId, request } of attempts) {
      expect(attemptId).toMatch(/^att_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
      attemptIds.add(attemptId);
      shown.push(request);
    }
  }
  const order = (one: { readonly body: string }): string => one.body;
  const names = Object.keys(shown[0].headers);
  expect(names).toContain("X-Service-Signature");
  const sent = world.received.map(({ headers, body }) => ({
    headers: Object.fromEntries(
      [...names, "X-Service-Test"].flatMap((name) => {
        const value = headers[name.toLowerCase()];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    body: body.toString(),
  }));
  expect(new Set(sent.map(order)).size).toBeGreaterThan(3);
  expect(shown.toSorted((one, other) => (order(one) < order(other) ? -1 : 1))).toEqual(
    sent.toSorted((one, other) => (order(one) < order(other) ? -1 : 1)),
  );
  expect(attemptIds.size).toBe(shown.length);
});

it("replaced data that no delivery sent is deleted", async () => {
  const store = memoryStore();
  await using world = await openConsole({ store, retryDelaysSeconds: [0.05] });
  const versions = () =>
    store.list({ prefix: [partitionOf("acc_1"), "record-version", "acc_1"], limit: 1_000 });
  for (let change = 0; change < 20; change++) await publishText(world, "rev_0", `nobody listens ${change}`);
  await world.hookwright.records.remove("acc_1", "reviews", "rev_0");
  expect(await versions()).toEqual([]);
  await world.createWebhook();
  await publishText(world, "rev_1", "sent");
  await receivedInAll(world, 1);
  for (let change = 0; change < 20; change++) await publishText(world, "rev_1", `not sent ${change}`);
  expect((await versions()).map(({ value }) => value)).toEqual([expect.stringContaining('"sent"')]);
  await resendFirst(world);
  await receivedInAll(world, 2);
  await publishText(world, "rev_1", "after it was sent again");
  expect((await versions()).map(({ value }) => value)).toEqual([
    expect.stringContaining('"sent"'),
    expect.stringContaining('"not sent 19"'),
  ]);
});
