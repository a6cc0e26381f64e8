import { describe, expect, it } from "vitest";
import { findRemovedWebhook } from "../src/webhooks/removed-webhooks.ts";
import { DeliveryError } from "../src/delivery-error.ts";
import { rest } from "./support/fake-clock.ts";
import { answered, hanging, noAnswer } from "./support/fake-transport.ts";
import { accountId, createWorld, event } from "./support/fake-world.ts";

/** After an error, an endpoint pauses for this long. */
const errorPauseMs = 1_000;
const minute = 60_000;
const day = 24 * 60 * minute;

async function startedWorld() {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const worker = world.worker();
  await worker.start();
  const send = async (...recordIds: string[]) => {
    const deliveries = await world.publish("wh_1", ...recordIds);
    worker.offer(accountId, deliveries);
    await world.clock.advance(0);
    return deliveries.map(({ id }) => id);
  };
  return { world, worker, send };
}

it("too many open files is no attempt: the error is reported, no failure is counted, and the delivery is sent later", async () => {
  const { world, worker, send } = await startedWorld();
  const shortage = new DeliveryError("too_many_open_files", "none left");
  world.transport.answerWith(() => Promise.reject(shortage));
  const [id = ""] = await send("ord_1");
  await world.clock.advance(40 * errorPauseMs);
  expect(world.transport.sent.length).toBeGreaterThan(30);
  expect(world.errors).toContain(shortage);
  expect(world.notices).toEqual([]);
  world.transport.answerWith(() => answered(200));
  await world.clock.advance(2 * errorPauseMs);
  const delivery = await world.delivery(id);
  expect(delivery).toMatchObject({ status: "delivered", attempts: [{ number: 1, status: 200 }] });
  expect(await world.health("wh_1")).toMatchObject({ consecutive_failures: 0, last_failure_at: null });
  await worker.close();
});

describe("a response", () => {
  it.each([200, 202, 299])(
    "of %d is an acceptance: delivered, counted as a success, removed from the queue, logged once",
    async (status) => {
      const { world, worker, send } = await startedWorld();
      world.transport.answerWith(() => answered(status));
      const [id = ""] = await send("ord_1");
      await world.clock.advance(minute);
      expect(world.transport.sent).toHaveLength(1);
      const delivery = await world.delivery(id);
      expect(delivery).toMatchObject({ status: "delivered", next_attempt_at: null });
      expect(delivery.attempts).toMatchObject([
        { number: 1, status, error: null, excerpt: "hi", next_attempt_at: null },
      ]);
      expect(await world.health("wh_1")).toMatchObject({ consecutive_failures: 0, last_failure_at: null });
      expect((await world.health("wh_1")).last_success_at).toBe(delivery.completed_at);
      expect(await world.queued()).toEqual([]);
      expect(await world.logged(id)).toEqual([["delivered", "event"]]);
      await worker.close();
    },
  );

  it.each([100, 199, 300, 302, 400, 404, 429, 500, 503])(
    "of %d is a failed attempt: the delivery stays pending, the failure is counted, and a retry is scheduled",
    async (status) => {
      const { world, worker, send } = await startedWorld();
      world.transport.answerWith(() => answered(status));
      const [id = ""] = await send("ord_1");
      const delivery = await world.delivery(id);
      expect(delivery).toMatchObject({ status: "pending", completed_at: null });
      expect(delivery.attempts).toMatchObject([{ status, error: "status" }]);
      expect(await world.health("wh_1")).toMatchObject({ consecutive_failures: 1, last_success_at: null });
      expect((await world.queued()).map(({ key }) => key.slice(1))).toEqual([
        ["retry", accountId, event, "wh_1", delivery.next_attempt_at, id],
      ]);
      expect(await world.logged(id)).toEqual([["pending", "event"]]);
      await worker.close();
    },
  );

  it("that never comes is a failed attempt with its failure class", async () => {
    const { world, worker, send } = await startedWorld();
    world.transport.answerWith(noAnswer);
    const [id = ""] = await send("ord_1");
    expect((await world.delivery(id)).attempts).toMatchObject([
      { status: null, error: "timeout", duration_ms: 10_000 },
    ]);
    expect((await world.health("wh_1")).consecutive_failures).toBe(1);
    await worker.close();
  });

  it("of 410 removes the webhook: its delivery has failed, and pending deliveries are cancelled at once", async () => {
    const { world, worker, send } = await startedWorld();
    world.transport.answerWith(() => answered(500));
    const [earlier = ""] = await send("ord_1");
    world.transport.answerWith(() => answered(410));
    const [met = ""] = await send("ord_2");
    expect(await world.webhook("wh_1")).toBeUndefined();
    expect((await world.delivery(met)).status).toBe("failed");
    expect((await world.delivery(earlier)).status).toBe("cancelled");
    expect(await world.queued()).toEqual([]);
    expect(await world.logged(met)).toEqual([["failed", "event"]]);
    expect(await world.logged(earlier)).toEqual([["cancelled", "event"]]);
    expect(await world.store.list({ prefix: [world.partition, "signing-secret"], limit: 9 })).toEqual([]);
    expect(await world.store.list({ prefix: [world.partition, "webhook-health"], limit: 9 })).toEqual([]);
    expect(world.notices).toMatchObject([
      { type: "gone", webhookId: "wh_1", lastFailure: "The endpoint answered 410." },
    ]);
    await worker.close();
  });

  it("of 410 keeps the webhook readable, without its secret", async () => {
    const { world, worker, send } = await startedWorld();
    world.transport.answerWith(() => answered(500));
    await send("ord_1");
    world.transport.answerWith(() => answered(410));
    await send("ord_2");
    const removed = await findRemovedWebhook(world.store, accountId, "wh_1");
    expect(removed).toMatchObject({ id: "wh_1", event, reason: "gone", consecutive_failures: 2 });
    expect(removed?.removed_at).toBe(removed?.last_failure_at);
    const entries = await world.store.list({ prefix: [world.partition, "removed-webhook"], limit: 9 });
    expect(entries.map(({ value }) => value).join()).not.toMatch(/secret|whsec/u);
    await worker.close();
  });

  it("of 410 cancels the other deliveries in flight, except accepted ones", async () => {
    const { world, worker, send } = await startedWorld();
    const answers = [hanging(), hanging(), hanging()];
    let next = 0;
    world.transport.answerWith(() => answers[next++]?.answer ?? answered(500));
    const [failing = "", accepting = "", met = ""] = await send("ord_1", "ord_2", "ord_3");
    answers[2]?.give(answered(410));
    await world.clock.advance(0);
    answers[0]?.give(answered(500));
    answers[1]?.give(answered(200));
    await world.clock.advance(25);
    expect((await world.delivery(met)).status).toBe("failed");
    expect((await world.delivery(failing)).status).toBe("cancelled");
    expect((await world.delivery(accepting)).status).toBe("delivered");
    expect(await world.store.list({ prefix: [world.partition, "webhook-health"], limit: 9 })).toEqual([]);
    expect(await world.queued()).toEqual([]);
    await worker.close();
  });
});

describe("failures in a row", () => {
  it("are counted over all deliveries of a webhook, and a success resets the count", async () => {
    const { world, worker, send } = await startedWorld();
    world.transport.answerWith(() => answered(500));
    await send("ord_1", "ord_2", "ord_3");
    expect((await world.health("wh_1")).consecutive_failures).toBe(3);
    world.transport.answerWith(() => answered(200));
    await send("ord_4");
    await world.clock.advance(25);
    expect((await world.health("wh_1")).consecutive_failures).toBe(0);
    await worker.close();
  });

  it("cause a warning at the sixth, none for the next 24 hours, and another one after that", async () => {
    const { world, worker, send } = await startedWorld();
    world.transport.answerWith(() => answered(500));
    await send("a", "b", "c", "d", "e");
    expect(world.notices).toEqual([]);
    await send("f");
    await world.clock.advance(25);
    expect(world.notices).toEqual([
      {
        type: "failing",
        accountId,
        webhookId: "wh_1",
        events: ["order.created"],
        targetUrl: "https://wh_1.example.com/hooks",
        consecutiveFailures: 6,
        lastFailure: "The endpoint answered 500.",
      },
    ]);
    world.transport.answerWith(() => answered(200));
    await world.clock.advance(40 * minute);
    world.transport.answerWith(() => answered(500));
    await send("g", "h", "i", "j", "k", "l", "m");
    expect(world.notices.map(({ type }) => type)).toEqual(["failing", "recovered"]);
    world.transport.answerWith(() => answered(200));
    world.clock.jump(day);
    // The worker takes its lease again.
    await world.clock.advance(minute);
    world.transport.answerWith(() => answered(500));
    await send("n", "o", "p", "q", "r", "s");
    expect(world.notices.map(({ type }) => type)).toEqual(["failing", "recovered", "failing"]);
    await worker.close();
  });

  it("switch the webhook off at the thirtieth, with one notice and no further warning", async () => {
    const { world, worker, send } = await startedWorld();
    world.transport.answerWith(() => answered(500));
    const ids = await send(...Array.from({ length: 29 }, (_, index) => `ord_${index}`));
    await world.clock.advance(minute);
    expect((await world.webhook("wh_1"))?.status).toBe("active");
    expect(world.notices.map(({ type, consecutiveFailures }) => [type, consecutiveFailures])).toEqual([
      ["failing", 6],
    ]);
    // In back-off, attempts are up to three minutes apart.
    await world.clock.advance(35 * minute);
    expect((await world.webhook("wh_1"))?.status).toBe("switched_off");
    expect(world.notices.map(({ type }) => type)).toEqual(["failing", "switched_off"]);
    await world.clock.advance(30 * minute);
    expect(world.notices).toHaveLength(2);
    for (const id of ids) expect((await world.delivery(id)).status).toBe("cancelled");
    expect(await world.queued()).toEqual([]);
    await worker.close();
  });

  it("stop all further attempts at the thirtieth, even with many deliveries queued and fast failures", async () => {
    const { world, worker, send } = await startedWorld();
    world.transport.answerWith(() => answered(500));
    const ids = await send(...Array.from({ length: 100 }, (_, index) => `ord_${index}`));
    // The eight attempts in flight end. No other starts, because time does not pass.
    await rest(1_000);
    expect(world.transport.sent.length).toBeLessThanOrEqual(10 + 8);
    await world.clock.advance(35 * minute);
    expect((await world.webhook("wh_1"))?.status).toBe("switched_off");
    // Thirty, and those that were in flight when the back-off began.
    expect(world.transport.sent.length).toBeGreaterThanOrEqual(30);
    expect(world.transport.sent.length).toBeLessThanOrEqual(30 + 8);
    for (const id of ids) expect((await world.delivery(id)).status).toBe("cancelled");
    await worker.close();
  });

  it("are reset by an acceptance, and queued deliveries are sent", async () => {
    const { world, worker, send } = await startedWorld();
    world.transport.answerWith(() => answered(world.transport.sent.length % 29 === 0 ? 200 : 500));
    await send(...Array.from({ length: 100 }, (_, index) => `ord_${index}`));
    await world.clock.advance(60 * minute);
    expect(world.transport.sent.length).toBeGreaterThan(100);
    expect((await world.webhook("wh_1"))?.status).toBe("active");
    await worker.close();
  });
});

describe("a due delivery is cancelled without an attempt", () => {
  it.each(["paused", "switched_off"] as const)(
    "when it falls due while its webhook is %s, and not earlier",
    async (status) => {
      const { world, worker, send } = await startedWorld();
      world.transport.answerWith(() => answered(500));
      const [id = ""] = await send("ord_1");
      await world.changeWebhook("wh_1", { status });
      await world.clock.advance(14_000);
      expect((await world.delivery(id)).status).toBe("pending");
      await world.clock.advance(2_000);
      expect(await world.delivery(id)).toMatchObject({ status: "cancelled", next_attempt_at: null });
      expect((await world.delivery(id)).attempts).toHaveLength(1);
      expect(world.transport.sent).toHaveLength(1);
      expect(await world.queued()).toEqual([]);
      expect(await world.logged(id)).toEqual([["cancelled", "event"]]);
      await worker.close();
    },
  );

  it("but not if the webhook is active again by then", async () => {
    const { world, worker, send } = await startedWorld();
    world.transport.answerWith(() => answered(500));
    const [id = ""] = await send("ord_1");
    await world.changeWebhook("wh_1", { status: "paused" });
    await world.clock.advance(10_000);
    await world.changeWebhook("wh_1", { status: "active" });
    world.transport.answerWith(() => answered(200));
    await world.clock.advance(10_000);
    expect((await world.delivery(id)).status).toBe("delivered");
    await worker.close();
  });

  it("at once, when its webhook is removed", async () => {
    const { world, worker, send } = await startedWorld();
    world.transport.answerWith(() => answered(500));
    const [id = ""] = await send("ord_1");
    await world.removeWebhook("wh_1");
    worker.webhookChanged({ accountId, event, webhookId: "wh_1" });
    await world.clock.advance(0);
    expect((await world.delivery(id)).status).toBe("cancelled");
    expect(await world.queued()).toEqual([]);
    await worker.close();
  });

  it("at once, when another process removed its webhook and the store notified this one", async () => {
    const { world, worker, send } = await startedWorld();
    world.transport.answerWith(() => answered(500));
    const [id = ""] = await send("ord_1");
    await world.removeWebhook("wh_1");
    await world.clock.advance(0);
    expect((await world.delivery(id)).status).toBe("cancelled");
    await worker.close();
  });

  it("when its webhook was removed before the first attempt", async () => {
    const { world, worker } = await startedWorld();
    const deliveries = await world.publish("wh_gone", "ord_1");
    worker.offer(accountId, deliveries);
    await world.clock.advance(0);
    expect(await world.delivery(deliveries[0]?.id ?? "")).toMatchObject({
      status: "cancelled",
      cancel_reason: "webhook_removed",
      attempts: [],
    });
    expect(world.transport.sent).toEqual([]);
    await worker.close();
  });

  it.each(["record_deleted", "account_unavailable"] as const)("for the reason %s", async (reason) => {
    const { world, worker, send } = await startedWorld();
    world.transport.answerWith(() => answered(500));
    const [retried = ""] = await send("ord_1");
    world.refuseMessages(reason);
    const [fresh = ""] = await send("ord_2");
    await world.clock.advance(20_000);
    expect(world.transport.sent).toHaveLength(1);
    for (const id of [retried, fresh]) {
      expect(await world.delivery(id)).toMatchObject({ status: "cancelled", cancel_reason: reason });
      expect(await world.logged(id)).toEqual([["cancelled", "event"]]);
    }
    expect((await world.health("wh_1")).consecutive_failures).toBe(1);
    expect(await world.queued()).toEqual([]);
    // `onAttempt` was called only for the attempt that was made.
    expect(world.attempts.map(({ status }) => status)).toEqual([500]);
    await worker.close();
  });
});

it("removing a webhook cancels a backlog that is much larger than the prefetch window", async () => {
  const { world, worker, send } = await startedWorld();
  world.transport.answerWith(() => answered(500));
  await send(...Array.from({ length: 25 }, (_, index) => `ord_${index}`));
  await world.clock.advance(20_000);
  const sent = world.transport.sent.length;
  await world.changeWebhook("wh_1", { status: "paused" });
  const ids = await send(...Array.from({ length: 500 }, (_, index) => `more_${index}`));
  await world.removeWebhook("wh_1");
  for (let round = 0; round < 10; round++) await world.clock.advance(100);
  expect(await world.queued()).toEqual([]);
  for (const id of ids) expect((await world.delivery(id)).status).toBe("cancelled");
  expect(world.transport.sent).toHaveLength(sent);
  await worker.close();
});
