import { describe, expect, it } from "vitest";
import { DeliveryError } from "../src/delivery-error.ts";
import { faultPauseMs } from "../src/scheduler/lanes/lane-queue.ts";
import { rest, until } from "./support/fake-clock.ts";
import { answered, hanging, noAnswer } from "./support/fake-transport.ts";
import { accountId, createWorld, event } from "./support/fake-world.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

async function startedWorld() {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const scheduler = world.scheduler();
  await scheduler.start();
  const send = async (...recordIds: string[]) => {
    const deliveries = await world.publish("wh_1", ...recordIds);
    scheduler.offer(accountId, deliveries);
    await world.clock.advance(0);
    return deliveries.map(({ id }) => id);
  };
  return { world, scheduler, send };
}

it("what could not be sent for want of files is no attempt: told, counted for nobody, and sent later", async () => {
  const { world, scheduler, send } = await startedWorld();
  const shortage = new DeliveryError("too_many_open_files", "none left");
  world.transport.answerWith(() => Promise.reject(shortage));
  const [id = ""] = await send("ord_1");
  await world.clock.advance(40 * faultPauseMs);
  expect(world.transport.sent.length).toBeGreaterThan(30);
  expect(world.faults).toContain(shortage);
  expect(world.notices).toEqual([]);
  world.transport.answerWith(() => answered(200));
  await world.clock.advance(2 * faultPauseMs);
  const delivery = await world.delivery(id);
  expect(delivery).toMatchObject({ status: "delivered", attempts: [{ number: 1, status: 200 }] });
  expect(await world.health("wh_1")).toMatchObject({ consecutive_failures: 0, last_failure_at: null });
  await scheduler.close();
});

describe("an answer", () => {
  it.each([200, 202, 299])(
    "of %d is an acceptance: delivered, counted as a success, out of the queue, logged once",
    async (status) => {
      const { world, scheduler, send } = await startedWorld();
      world.transport.answerWith(() => answered(status));
      const [id = ""] = await send("ord_1");
      await world.clock.advance(60 * minute);
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
      await scheduler.close();
    },
  );

  it.each([100, 199, 300, 302, 400, 404, 429, 500, 503])(
    "of %d is a failed attempt: pending, counted, to be tried again",
    async (status) => {
      const { world, scheduler, send } = await startedWorld();
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
      await scheduler.close();
    },
  );

  it("that never comes is a failed attempt with its class", async () => {
    const { world, scheduler, send } = await startedWorld();
    world.transport.answerWith(noAnswer);
    const [id = ""] = await send("ord_1");
    expect((await world.delivery(id)).attempts).toMatchObject([
      { status: null, error: "timeout", duration_ms: 10_000 },
    ]);
    expect((await world.health("wh_1")).consecutive_failures).toBe(1);
    await scheduler.close();
  });

  it("of 410 removes the webhook: the delivery that met it has failed, the pending ones are cancelled at once", async () => {
    const { world, scheduler, send } = await startedWorld();
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
    expect(world.notices).toEqual([]);
    await scheduler.close();
  });

  it("of 410 cancels what is in flight beside it, unless that is accepted", async () => {
    const { world, scheduler, send } = await startedWorld();
    const answers = [hanging(), hanging(), hanging()];
    let next = 0;
    world.transport.answerWith(() => answers[next++]?.answer ?? answered(500));
    const [failing = "", accepting = "", met = ""] = await send("ord_1", "ord_2", "ord_3");
    answers[2]?.give(answered(410));
    await world.clock.advance(0);
    answers[0]?.give(answered(500));
    answers[1]?.give(answered(200));
    // What comes between failures is recorded with them.
    await world.clock.advance(25);
    expect((await world.delivery(met)).status).toBe("failed");
    expect((await world.delivery(failing)).status).toBe("cancelled");
    expect((await world.delivery(accepting)).status).toBe("delivered");
    expect(await world.store.list({ prefix: [world.partition, "webhook-health"], limit: 9 })).toEqual([]);
    expect(await world.queued()).toEqual([]);
    await scheduler.close();
  });
});

describe("the webhook's row of failures", () => {
  it("counts over all its deliveries, and a success ends it", async () => {
    const { world, scheduler, send } = await startedWorld();
    world.transport.answerWith(() => answered(500));
    await send("ord_1", "ord_2", "ord_3");
    expect((await world.health("wh_1")).consecutive_failures).toBe(3);
    world.transport.answerWith(() => answered(200));
    await send("ord_4");
    await world.clock.advance(25);
    expect((await world.health("wh_1")).consecutive_failures).toBe(0);
    await scheduler.close();
  });

  it("warns at the sixth, not again within 24 hours, and again after that", async () => {
    const { world, scheduler, send } = await startedWorld();
    world.transport.answerWith(() => answered(500));
    await send("a", "b", "c", "d", "e");
    expect(world.notices).toEqual([]);
    await send("f");
    // Failures alone are recorded forty times a second.
    await world.clock.advance(25);
    expect(world.notices).toEqual([
      {
        type: "failing",
        accountId,
        webhookId: "wh_1",
        event: "order.created",
        targetUrl: "https://wh_1.example.com/hooks",
        consecutiveFailures: 6,
        lastFailure: "The endpoint answered 500.",
      },
    ]);
    world.transport.answerWith(() => answered(200));
    await world.clock.advance(40 * minute);
    world.transport.answerWith(() => answered(500));
    await send("g", "h", "i", "j", "k", "l", "m");
    expect(world.notices).toHaveLength(1);
    world.transport.answerWith(() => answered(200));
    await world.clock.advance(day);
    world.transport.answerWith(() => answered(500));
    await send("n", "o", "p", "q", "r", "s");
    expect(world.notices.map(({ type }) => type)).toEqual(["failing", "failing"]);
    await scheduler.close();
  });

  it("of thirty switches the webhook off with one notice, and without a warning then", async () => {
    const { world, scheduler, send } = await startedWorld();
    world.transport.answerWith(() => answered(500));
    const ids = await send(...Array.from({ length: 29 }, (_, index) => `ord_${index}`));
    expect((await world.webhook("wh_1"))?.status).toBe("active");
    expect(world.notices.map(({ type, consecutiveFailures }) => [type, consecutiveFailures])).toEqual([
      ["failing", 6],
    ]);
    await world.clock.advance(15_000);
    expect((await world.webhook("wh_1"))?.status).toBe("switched_off");
    expect(world.notices.map(({ type }) => type)).toEqual(["failing", "switched_off"]);
    await world.clock.advance(day);
    expect(world.notices).toHaveLength(2);
    for (const id of ids) expect((await world.delivery(id)).status).toBe("cancelled");
    expect(await world.queued()).toEqual([]);
    await scheduler.close();
  });

  it("of thirty sends nothing more, however many wait and however quickly they are refused", async () => {
    const { world, scheduler, send } = await startedWorld();
    world.transport.answerWith(() => answered(500));
    const ids = await send(...Array.from({ length: 100 }, (_, index) => `ord_${index}`));
    // Time stands still: none of those failures is recorded before they are many.
    await rest(1_000);
    expect(world.transport.sent).toHaveLength(30);
    await world.clock.advance(minute);
    expect((await world.webhook("wh_1"))?.status).toBe("switched_off");
    expect(world.transport.sent).toHaveLength(30);
    for (const id of ids) expect((await world.delivery(id)).status).toBe("cancelled");
    await scheduler.close();
  });

  it("is broken by an acceptance, and what waits is sent on", async () => {
    const { world, scheduler, send } = await startedWorld();
    world.transport.answerWith(() => answered(world.transport.sent.length % 29 === 0 ? 200 : 500));
    await send(...Array.from({ length: 100 }, (_, index) => `ord_${index}`));
    await until(() => world.transport.sent.length === 100);
    await world.clock.advance(25);
    expect((await world.webhook("wh_1"))?.status).toBe("active");
    await scheduler.close();
  });
});

describe("a delivery whose time has come is cancelled without a try", () => {
  it.each(["paused", "switched_off"] as const)(
    "while its webhook is %s, when it falls due and not before",
    async (status) => {
      const { world, scheduler, send } = await startedWorld();
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
      await scheduler.close();
    },
  );

  it("not when the webhook is active again by then", async () => {
    const { world, scheduler, send } = await startedWorld();
    world.transport.answerWith(() => answered(500));
    const [id = ""] = await send("ord_1");
    await world.changeWebhook("wh_1", { status: "paused" });
    await world.clock.advance(10_000);
    await world.changeWebhook("wh_1", { status: "active" });
    world.transport.answerWith(() => answered(200));
    await world.clock.advance(10_000);
    expect((await world.delivery(id)).status).toBe("delivered");
    await scheduler.close();
  });

  it("at once, when its webhook is removed", async () => {
    const { world, scheduler, send } = await startedWorld();
    world.transport.answerWith(() => answered(500));
    const [id = ""] = await send("ord_1");
    await world.removeWebhook("wh_1");
    scheduler.wake({ accountId, event, webhookId: "wh_1" });
    await world.clock.advance(0);
    expect((await world.delivery(id)).status).toBe("cancelled");
    expect(await world.queued()).toEqual([]);
    await scheduler.close();
  });

  it("at once, when another process removed its webhook and told this one through the store", async () => {
    const { world, scheduler, send } = await startedWorld();
    world.transport.answerWith(() => answered(500));
    const [id = ""] = await send("ord_1");
    await world.removeWebhook("wh_1");
    await world.clock.advance(0);
    expect((await world.delivery(id)).status).toBe("cancelled");
    await scheduler.close();
  });

  it("when its webhook was removed before the first try", async () => {
    const { world, scheduler } = await startedWorld();
    const deliveries = await world.publish("wh_gone", "ord_1");
    scheduler.offer(accountId, deliveries);
    await world.clock.advance(0);
    expect(await world.delivery(deliveries[0]?.id ?? "")).toMatchObject({
      status: "cancelled",
      attempts: [],
    });
    expect(world.transport.sent).toEqual([]);
    await scheduler.close();
  });

  it.each(["record_deleted", "account_not_active"] as const)("for the reason %s", async (reason) => {
    const { world, scheduler, send } = await startedWorld();
    world.transport.answerWith(() => answered(500));
    const [retried = ""] = await send("ord_1");
    world.refuseMessages(reason);
    const [fresh = ""] = await send("ord_2");
    await world.clock.advance(20_000);
    expect(world.transport.sent).toHaveLength(1);
    for (const id of [retried, fresh]) {
      expect((await world.delivery(id)).status).toBe("cancelled");
      expect(await world.logged(id)).toEqual([["cancelled", "event"]]);
    }
    expect((await world.health("wh_1")).consecutive_failures).toBe(1);
    expect(await world.queued()).toEqual([]);
    // Whoever counts attempts is told of the one that was made.
    expect(world.attempts.map(({ status }) => status)).toEqual([500]);
    await scheduler.close();
  });
});

it("the removal of a webhook cancels a backlog far larger than a window", async () => {
  const { world, scheduler, send } = await startedWorld();
  world.transport.answerWith(() => answered(500));
  await send(...Array.from({ length: 25 }, (_, index) => `ord_${index}`));
  await until(() => world.transport.sent.length === 25);
  await world.changeWebhook("wh_1", { status: "paused" });
  const ids = await send(...Array.from({ length: 500 }, (_, index) => `more_${index}`));
  await world.removeWebhook("wh_1");
  await world.clock.advance(1_000);
  expect(await world.queued()).toEqual([]);
  for (const id of ids) expect((await world.delivery(id)).status).toBe("cancelled");
  expect(world.transport.sent).toHaveLength(25);
  await scheduler.close();
});
