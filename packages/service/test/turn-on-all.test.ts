import { partitions } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { expect, it } from "vitest";
import { accountId, answered } from "./support/fake-world.ts";
import { resendRunningTable } from "../src/rows/keys.ts";
import { openRecoveries } from "./support/open-recoveries.ts";
import { openThree, timesSent, urls } from "./support/open-resends.ts";

/** One webhook is switched off, one is paused, one is active. Each stopped one has missed an order since. */
async function openStopped(options?: Parameters<typeof openThree>[0]) {
  const { opened, webhookIds, ...jobs } = await openThree(options);
  const { service, world } = opened;
  const [first = "", second = ""] = webhookIds;
  // What failed before a webhook stopped is not sent.
  await opened.fail("ord_early");
  await opened.publish("ord_good");
  await world.clock.advance(2_000);
  await service.webhooks.pause(accountId, second);
  await world.clock.advance(2_000);
  world.transport.answerWith(({ targetUrl }) => answered(targetUrl === urls[0] ? 500 : 200));
  for (let order = 0; order < 30; order++) {
    await opened.publish(`ord_${order}`);
    await world.clock.advance(1_000);
  }
  world.transport.answerWith(() => answered(200));
  await opened.publish("ord_missed");
  await world.clock.advance(1_000);
  const statuses = async () =>
    Promise.all(webhookIds.map(async (id) => (await service.webhooks.get(accountId, id)).status));
  expect(await statuses()).toEqual(["switched_off", "paused", "active"]);
  const sentBefore = world.transport.sent.length;
  return {
    ...jobs,
    opened,
    webhookIds,
    first,
    second,
    filter: { webhook_ids: webhookIds },
    statuses,
    /** The records that each webhook got since the outage. None got one twice. */
    async sent() {
      await world.clock.advance(5_000);
      const times = timesSent(opened, sentBefore);
      expect(new Set(times.values())).toEqual(new Set([1]));
      return urls.map((url) =>
        [...times.keys()].flatMap((sent) => (sent.startsWith(`${url} `) ? [sent.slice(url.length + 1)] : [])),
      );
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

const turnOn = { turn_on: true };

it("one job turns webhooks on, and each gets what it missed since it stopped, once", async () => {
  await using stopped = await openStopped();
  const { opened, preview, start, finish, filter, statuses } = stopped;
  // The paused one missed thirty orders and one. Of the other, the last failure and one event count.
  expect(await preview(filter, turnOn)).toEqual({ found: 33, skipped: 0, complete: true });
  expect(await statuses()).toEqual(["switched_off", "paused", "active"]);
  const job = await start(filter, turnOn);
  expect(job).toMatchObject({
    filter: { statuses: ["failed", "cancelled"] },
    not_sent: true,
    turned_on: 2,
    status: "running",
    found: 33,
    resent: 0,
  });
  expect(await statuses()).toEqual(["active", "active", "active"]);
  expect(await finish(job)).toMatchObject({ status: "finished", found: 33, resent: 33, skipped: 0 });
  const [first = [], second = [], third = []] = await stopped.sent();
  expect(first).toContain("ord_missed");
  expect(second).toHaveLength(31);
  expect([first, second, third].flat()).not.toContain("ord_early");
  expect(third).toEqual([]);
  expect(opened.world.errors).toEqual([]);
  const { rows } = await opened.service.audit.list({}, { limit: 10 });
  expect(
    rows
      .map(({ action }) => action)
      .slice(0, 3)
      .toSorted(),
  ).toEqual(["resend.started", "webhook.resumed", "webhook.turned_on"]);
  await expect(start(filter, turnOn)).rejects.toMatchObject({ code: "invalid_state" });
});

/** Does something while the commit that starts a job is under way. */
function slowCommit() {
  let during: (() => Promise<unknown>) | undefined;
  return {
    wrapStore: (store: Store): Store => ({
      ...store,
      async commit(partition, commit) {
        const isStart = commit.mutations.some(({ key }) => key[1] === resendRunningTable);
        const first = isStart ? during : undefined;
        if (first !== undefined) during = undefined;
        await first?.();
        return store.commit(partition, commit);
      },
    }),
    once(action: () => Promise<unknown>) {
      during = action;
    },
    isDone: () => during === undefined,
  };
}

it("events that are missed during the commit are sent too, however long it takes", async () => {
  const { wrapStore, once, isDone } = slowCommit();
  await using stopped = await openStopped({ wrapStore });
  const { opened, start, finish, filter } = stopped;
  once(async () => {
    await opened.world.clock.advance(90_000);
    await opened.publish("ord_late");
  });
  const ended = await finish(await start(filter, turnOn));
  expect(isDone()).toBe(true);
  expect(ended).toMatchObject({ found: 35, resent: 35 });
  const [first = [], second = []] = await stopped.sent();
  expect([first, second].map((sent) => sent.includes("ord_late"))).toEqual([true, true]);
});

it("a retry that is cancelled during the commit is sent too, once", async () => {
  const { wrapStore, once, isDone } = slowCommit();
  const { opened, webhookIds, start, finish } = await openThree({
    wrapStore,
    worker: { retryDelaysSeconds: [60] },
  });
  await using _ = opened;
  const { clock, transport } = opened.world;
  const [first = ""] = webhookIds;
  transport.answerWith(({ targetUrl }) => answered(targetUrl === urls[0] ? 500 : 200));
  const [delivery = ""] = await opened.publish("ord_retried");
  await clock.advance(1_000);
  await opened.service.webhooks.pause(accountId, first);
  const status = async () => (await opened.service.deliveries.get(accountId, delivery)).status;
  expect(await status()).toBe("pending");
  transport.answerWith(() => answered(200));
  const sentBefore = transport.sent.length;
  once(async () => {
    await clock.advance(90_000);
    expect(await status()).toBe("cancelled");
  });
  const job = await finish(await start({ webhook_ids: [first] }, turnOn));
  expect(isDone()).toBe(true);
  expect(job).toMatchObject({ found: 1, resent: 1 });
  await clock.advance(1_000);
  expect([...timesSent(opened, sentBefore)]).toEqual([[`${urls[0]} ord_retried`, 1]]);
});

it("after a webhook stops in the middle, the next job sends all since it stopped first, once", async () => {
  // A batch at a time.
  const { opened, webhookIds, start, finish, preview } = await openThree({
    recoverer: { maximumPending: 50 },
  });
  await using _ = opened;
  const { clock, transport } = opened.world;
  const filter = { webhook_ids: webhookIds.slice(0, 1) };
  const pause = () => opened.service.webhooks.pause(accountId, opened.webhookId);
  const status = async () => (await opened.service.webhooks.get(accountId, opened.webhookId)).status;
  await pause();
  await clock.advance(2_000);
  for (let order = 0; order < 120; order++) await opened.publish(`ord_${order}`);
  await clock.advance(20_000);
  transport.answerWith(({ targetUrl }) => answered(targetUrl === urls[0] ? 500 : 200));
  const interrupted = await finish(await start(filter, turnOn));
  expect(interrupted).toMatchObject({ status: "finished", found: 120, resent: 50, skipped: 70 });
  expect(await status()).toBe("switched_off");
  transport.answerWith(() => answered(200));
  const sentBefore = transport.sent.length;
  const { missed } = await opened.service.webhooks.getForConsole(accountId, opened.webhookId);
  expect(missed).toBe(70);
  expect(await preview(filter, turnOn)).toMatchObject({ found: 120 });
  const ended = await finish(await start(filter, turnOn));
  expect(ended).toMatchObject({ status: "finished", found: 120, resent: 120, skipped: 0 });
  await clock.advance(5_000);
  const times = timesSent(opened, sentBefore);
  expect([times.size, new Set(times.values())]).toEqual([120, new Set([1])]);
  // All is sent, so the next one begins where the webhook stops next.
  transport.answerWith(() => answered(500));
  await opened.publish("ord_failed");
  await clock.advance(2_000);
  transport.answerWith(() => answered(200));
  await pause();
  await opened.publish("ord_last");
  expect(await finish(await start(filter, turnOn))).toMatchObject({ found: 1, resent: 1 });
});

it("after a plain turn-on, the next job begins where the webhook stops next", async () => {
  const { opened, webhookIds, start, finish } = await openThree({ recoverer: { maximumPending: 50 } });
  await using _ = opened;
  const { clock, transport } = opened.world;
  const filter = { webhook_ids: webhookIds.slice(0, 1) };
  const { pause, turnOn: turnOnPlainly } = opened.service.webhooks;
  await pause(accountId, opened.webhookId);
  await clock.advance(2_000);
  for (let order = 0; order < 120; order++) await opened.publish(`ord_${order}`);
  await clock.advance(20_000);
  transport.answerWith(({ targetUrl }) => answered(targetUrl === urls[0] ? 500 : 200));
  expect(await finish(await start(filter, turnOn))).toMatchObject({ found: 120, resent: 50, skipped: 70 });
  transport.answerWith(() => answered(200));
  await turnOnPlainly(accountId, opened.webhookId);
  await clock.advance(2_000);
  await pause(accountId, opened.webhookId);
  await clock.advance(2_000);
  await opened.publish("ord_last");
  const { missed } = await opened.service.webhooks.getForConsole(accountId, opened.webhookId);
  expect(missed).toBe(1);
  expect(await finish(await start(filter, turnOn))).toMatchObject({ found: 1, resent: 1 });
});

it("a webhook that is paused and resumed meanwhile gets no more from the job, but all from the next", async () => {
  await using stopped = await openStopped({ recoverer: { maximumPending: 0 } });
  const { opened, second, filter, start, finish } = stopped;
  const { webhooks } = opened.service;
  const job = await start(filter, turnOn);
  await opened.world.clock.advance(1_000);
  await webhooks.pause(accountId, second);
  await opened.publish("ord_pause");
  await opened.world.clock.advance(1_000);
  await webhooks.resume(accountId, second);
  await opened.recoverer.close();
  await opened.worker.close();
  const other = opened.open("worker_2", { maximumPending: 500 });
  await other.worker.start();
  other.recoverer.start();
  expect(await finish(job)).toMatchObject({ status: "finished", found: 33, resent: 2, skipped: 31 });
  await webhooks.pause(accountId, second);
  expect(await finish(await start(filter, turnOn))).toMatchObject({ found: 32, resent: 32 });
  const [, sent = []] = await stopped.sent();
  expect(sent).toHaveLength(32);
  expect(sent).toContain("ord_pause");
  await other.recoverer.close();
  await other.worker.close();
});

it("an action of the operator sends all too, after its recovery was stopped by a pause", async () => {
  await using opened = await openRecoveries({ recoverer: { maximumPending: 0 }, worker: { partitions } });
  const { service, world, webhookId } = opened;
  // Leases of all partitions are acquired one after the other.
  await world.clock.advance(20_000);
  const resume = async () => {
    const filter = { account_ids: [accountId] };
    const { id } = await service.webhookActions.start({ action: "resume", filter, recover: true });
    await world.clock.advance(10_000);
    return service.webhookActions.get(id);
  };
  const recoveries = async () =>
    (await service.webhooks.listRecoveries(accountId, webhookId, { limit: 10 })).rows;
  await service.webhooks.pause(accountId, webhookId);
  await opened.publish("ord_1");
  await world.clock.advance(10_000);
  expect(await resume()).toMatchObject({ status: "finished", changed: 1, recoveries: 1 });
  await service.webhooks.pause(accountId, webhookId);
  await opened.publish("ord_2");
  await world.clock.advance(10_000);
  expect(await recoveries()).toMatchObject([{ status: "stopped", found: 1, resent: 0 }]);
  await opened.recoverer.close();
  await opened.worker.close();
  const other = opened.open("worker_2", { maximumPending: 500 });
  await other.worker.start();
  other.recoverer.start();
  await world.clock.advance(20_000);
  expect(await resume()).toMatchObject({ status: "finished", changed: 1, recoveries: 1 });
  await world.clock.advance(10_000);
  expect(await recoveries()).toMatchObject([{ found: 2, resent: 2 }, {}]);
  expect(opened.sent().toSorted()).toEqual(["ord_1", "ord_2"]);
  await other.recoverer.close();
  await other.worker.close();
});

it("another worker continues the job after a kill, and repeats nothing", async () => {
  await using stopped = await openStopped();
  const { opened, start, finish, filter } = stopped;
  await opened.recoverer.close();
  await opened.worker.close();
  const job = await start(filter, turnOn);
  const second = opened.open("worker_2");
  await second.worker.start();
  second.recoverer.start();
  expect(await finish(job)).toMatchObject({ status: "finished", found: 33, resent: 33 });
  await stopped.sent();
  await second.recoverer.close();
  await second.worker.close();
});

it("a webhook that the operator has disabled refuses the whole job", async () => {
  await using stopped = await openStopped();
  const { opened, preview, start, filter, first, statuses } = stopped;
  await opened.service.webhooks.disable(accountId, first, { reason: "not yours" });
  for (const ask of [start, preview])
    await expect(ask(filter, turnOn)).rejects.toThrow(
      `filter.webhook_ids: ${first}: A webhook that is disabled by the operator`,
    );
  expect(await statuses()).toEqual(["switched_off", "paused", "active"]);
});

it("the webhooks must be named, and deliveries must not", async () => {
  await using stopped = await openStopped();
  await expect(stopped.start({}, turnOn)).rejects.toThrow("filter.webhook_ids: is needed with turn_on");
  await expect(stopped.start({ ...stopped.filter, delivery_ids: ["dlv_1"] }, turnOn)).rejects.toThrow(
    "filter.delivery_ids: cannot be used with turn_on",
  );
});
