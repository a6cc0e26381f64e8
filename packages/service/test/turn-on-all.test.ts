import { expect, it } from "vitest";
import { accountId, answered } from "./support/fake-world.ts";
import { resendRunningTable } from "../src/rows/keys.ts";
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

it("events that are missed and cancelled while the webhooks are turned on are sent too", async () => {
  let duringCommit: (() => Promise<unknown>) | undefined;
  await using stopped = await openStopped({
    wrapStore: (store) => ({
      ...store,
      async commit(partition, commit) {
        const isStart = commit.mutations.some(({ key }) => key[1] === resendRunningTable);
        const during = isStart ? duringCommit : undefined;
        if (during !== undefined) duringCommit = undefined;
        await during?.();
        return store.commit(partition, commit);
      },
    }),
  });
  const { opened, start, finish, filter } = stopped;
  duringCommit = async () => {
    await opened.world.clock.advance(20);
    await opened.publish("ord_late");
  };
  const ended = await finish(await start(filter, turnOn));
  expect(duringCommit).toBeUndefined();
  expect(ended).toMatchObject({ found: 35, resent: 35 });
  const [first = [], second = []] = await stopped.sent();
  expect([first, second].map((sent) => sent.includes("ord_late"))).toEqual([true, true]);
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
