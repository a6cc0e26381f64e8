import { describe, expect, it } from "vitest";
import { keys } from "../src/rows/keys.ts";
import { accountId, answered } from "./support/fake-world.ts";
import { openRecoveries } from "./support/open-recoveries.ts";

it("a recovery sends again what failed, with the same body id, as new deliveries", async () => {
  await using opened = await openRecoveries();
  const { service, webhookId, world } = opened;
  await opened.fail("ord_1", "ord_2");
  const started = await opened.recover();
  expect(started).toEqual({
    id: expect.stringMatching(/^rcv_[0-9a-f]{32}$/u),
    webhook_id: webhookId,
    since: "2026-11-20T09:30:00Z",
    until: "2026-11-20T09:30:01Z",
    statuses: ["failed", "cancelled"],
    missed: false,
    status: "running",
    found: 2,
    resent: 0,
    created_at: "2026-11-20T09:30:01Z",
    finished_at: null,
  });
  const ended = await opened.finish(started);
  expect(ended).toMatchObject({ ...started, status: "finished", resent: 2, finished_at: ended.finished_at });
  expect(ended.finished_at).not.toBeNull();
  expect(opened.sent()).toEqual(["ord_1", "ord_2"]);
  const log = await service.deliveries.list(accountId, {}, { limit: 10 });
  expect(log.rows.map(({ kind, status, body_id }) => [kind, status, body_id])).toEqual([
    ["resend", "delivered", "order.created_ord_2"],
    ["resend", "delivered", "order.created_ord_1"],
    ["event", "failed", "order.created_ord_2"],
    ["event", "failed", "order.created_ord_1"],
  ]);
  expect(world.errors).toEqual([]);
});

it("one of a single site is stored whole, so that versions that know jobs send only that site", async () => {
  await using opened = await openRecoveries();
  await opened.fail("ord_1");
  const { service, webhookId, since, world } = opened;
  const own = { keyId: "key_1", projectId: "site_1" };
  const { id } = await service.webhooks.recover(accountId, webhookId, { since }, undefined, own);
  const stored = JSON.parse((await world.store.get(keys.resend(accountId, id))) ?? "");
  expect(stored).toMatchObject({ kind: "recovery", filter: { project_id: "site_1" }, parts: [{}] });
});

it("an event that was accepted since, through any resend, does not match", async () => {
  await using opened = await openRecoveries();
  await opened.fail("ord_1", "ord_2");
  const { rows } = await opened.service.deliveries.list(accountId, {}, { limit: 2 });
  await opened.service.deliveries.resend(accountId, rows[0]?.id ?? "");
  await opened.world.clock.advance(1_000);
  expect(opened.sent()).toEqual(["ord_2"]);
  expect(await opened.finish(await opened.recover())).toMatchObject({ found: 1, resent: 1 });
  expect(opened.sent()).toEqual(["ord_1"]);
});

it("asking twice sends nothing twice", async () => {
  await using opened = await openRecoveries();
  await opened.fail("ord_1", "ord_2", "ord_3");
  await opened.finish(await opened.recover());
  expect(opened.sent()).toHaveLength(3);
  await opened.world.clock.advance(1_000);
  expect(await opened.finish(await opened.recover())).toMatchObject({
    status: "finished",
    found: 0,
    resent: 0,
  });
  expect(opened.sent()).toEqual([]);
});

it("an event whose resend is pending or failed again is sent once more at most", async () => {
  await using opened = await openRecoveries({ worker: { retryDelaysSeconds: [60] } });
  const { transport, clock } = opened.world;
  await opened.fail("ord_1");
  await clock.advance(120_000);
  transport.answerWith(() => answered(500));
  opened.sent();
  await opened.publish("ord_2");
  await clock.advance(120_000);
  expect(await opened.finish(await opened.recover())).toMatchObject({ found: 1, resent: 1 });
  // The resend waits for its retry.
  expect(await opened.finish(await opened.recover())).toMatchObject({ found: 0, resent: 0 });
  await clock.advance(120_000);
  // Two deliveries of one event have failed.
  expect(await opened.recover()).toMatchObject({ found: 1 });
});

it("since, until and statuses select by the time and the end of a delivery", async () => {
  await using opened = await openRecoveries();
  const { clock } = opened.world;
  await opened.fail("ord_1");
  await clock.advance(60_000);
  const middle = new Date(clock.now()).toISOString();
  await opened.fail("ord_2");
  await clock.advance(60_000);
  const end = new Date(clock.now()).toISOString();
  const foundWith = async (input: object): Promise<number> => {
    const recovery = await opened.recover(input);
    await opened.service.webhooks.stopRecovery(accountId, recovery.id);
    return recovery.found;
  };
  expect(await foundWith({})).toBe(2);
  expect(await foundWith({ since: middle })).toBe(1);
  expect(await foundWith({ until: middle })).toBe(1);
  expect(await foundWith({ since: end })).toBe(0);
  expect(await foundWith({ statuses: ["failed"] })).toBe(2);
  expect(await foundWith({ statuses: ["cancelled"] })).toBe(0);
  expect(await foundWith({ statuses: [], until: "", missed: null })).toBe(2);
});

it("a delivery that was created before since and failed later matches", async () => {
  await using opened = await openRecoveries({ worker: { retryDelaysSeconds: [600] } });
  const { clock, transport } = opened.world;
  transport.answerWith(() => answered(500));
  await opened.publish("ord_1");
  await clock.advance(60_000);
  const since = new Date(clock.now()).toISOString();
  await clock.advance(700_000);
  expect(await opened.recover({ since })).toMatchObject({ found: 1 });
});

it("a delivery whose record was deleted does not match", async () => {
  await using opened = await openRecoveries();
  await opened.fail("ord_1", "ord_2");
  await opened.service.records.remove(accountId, "orders", "ord_1");
  expect(await opened.finish(await opened.recover())).toMatchObject({ found: 1, resent: 1 });
  expect(opened.sent()).toEqual(["ord_2"]);
});

it("tests are never sent again", async () => {
  await using opened = await openRecoveries();
  await opened.fail("ord_1");
  const { store, clock } = opened.world;
  // The use case of tests needs a transport of its own, so a logged test is written here.
  const { rows } = await opened.service.deliveries.list(accountId, {}, { limit: 1 });
  const [entry] = await store.list({ prefix: [opened.world.partition, "delivery"], limit: 1 });
  expect(rows[0]?.status).toBe("failed");
  const key = entry?.key ?? [opened.world.partition];
  const log = await store.list({ prefix: [opened.world.partition, "delivery-log"], limit: 1 });
  const logKey = log[0]?.key ?? [opened.world.partition];
  const [partition, ...parts] = logKey;
  await store.commit(opened.world.partition, {
    mutations: [
      { type: "set", key, value: (entry?.value ?? "").replace('"event"', '"test"') },
      { type: "delete", key: logKey },
      {
        type: "set",
        key: [partition, ...parts.map((part) => (part === "event" ? "test" : part))],
        value: "",
      },
    ],
  });
  await clock.advance(1_000);
  expect(await opened.recover()).toMatchObject({ found: 0 });
});

it("missed: true sends the events of a pause, once", async () => {
  await using opened = await openRecoveries();
  const { webhooks } = opened.service;
  await webhooks.pause(accountId, opened.webhookId);
  expect(await opened.publish("ord_1")).toEqual([]);
  expect(await opened.publish("ord_2")).toEqual([]);
  await opened.publish("ord_2");
  await opened.world.clock.advance(1_000);
  await webhooks.resume(accountId, opened.webhookId);
  expect(await opened.finish(await opened.recover())).toMatchObject({ found: 0, resent: 0 });
  await opened.service.records.remove(accountId, "orders", "ord_1");
  await opened.publish("ord_3");
  await opened.world.clock.advance(1_000);
  expect(opened.sent()).toEqual(["ord_3"]);
  expect(await opened.finish(await opened.recover({ missed: true }))).toMatchObject({ found: 1, resent: 1 });
  expect(opened.sent()).toEqual(["ord_2"]);
  expect(await opened.finish(await opened.recover({ missed: true }))).toMatchObject({ found: 0, resent: 0 });
  expect(opened.sent()).toEqual([]);
});

it("missed: true sends the events published while it was switched off, or its account was suspended", async () => {
  await using opened = await openRecoveries();
  const { service, webhookId } = opened;
  const failing = Array.from({ length: 30 }, (_, index) => `ord_${index}`);
  await opened.fail(...failing);
  expect(await service.webhooks.get(accountId, webhookId)).toMatchObject({ status: "switched_off" });
  await opened.publish("ord_off");
  await service.webhooks.turnOn(accountId, webhookId);
  await service.accounts.put(accountId, { status: "suspended" });
  await opened.publish("ord_suspended");
  await service.accounts.put(accountId, { status: "active" });
  await opened.world.clock.advance(1_000);
  const ended = await opened.finish(await opened.recover({ missed: true }));
  expect(ended).toMatchObject({ found: 32, resent: 32 });
  expect(opened.sent().toSorted()).toEqual([...failing, "ord_off", "ord_suspended"].toSorted());
});

it("missed: true sends only events of the webhook's site", async () => {
  await using opened = await openRecoveries();
  const { service, webhookId, world } = opened;
  await service.projects.put("site_2", { account_id: accountId });
  await service.webhooks.pause(accountId, webhookId);
  await opened.publish("ord_1");
  await service.webhooks.update(accountId, webhookId, { project_id: "site_2" });
  await world.clock.advance(1_000);
  await service.webhooks.resume(accountId, webhookId);
  expect(await opened.finish(await opened.recover({ missed: true }))).toMatchObject({ found: 0, resent: 0 });
  await service.webhooks.update(accountId, webhookId, { project_id: "site_1" });
  expect(await opened.finish(await opened.recover({ missed: true }))).toMatchObject({ found: 1, resent: 1 });
  await world.clock.advance(1_000);
  expect(opened.sent()).toEqual(["ord_1"]);
});

it("an event whose resend was pending at the start is not sent, even if that resend fails meanwhile", async () => {
  await using opened = await openRecoveries();
  await opened.fail("ord_1");
  await opened.recoverer.close();
  opened.world.transport.answerWith(() => answered(500));
  const { rows } = await opened.service.deliveries.list(accountId, {}, { limit: 1 });
  await opened.service.deliveries.resend(accountId, rows[0]?.id ?? "");
  const started = await opened.recover();
  expect(started).toMatchObject({ found: 0 });
  await opened.world.clock.advance(5_000);
  await opened.worker.close();
  const second = opened.open("worker_2");
  await second.worker.start();
  second.recoverer.start();
  expect(await opened.finish(started)).toMatchObject({ found: 0, resent: 0 });
  await second.recoverer.close();
  await second.worker.close();
});

it("a running recovery whose row is missing does not keep others from starting", async () => {
  await using opened = await openRecoveries();
  const { world, recoverer } = opened;
  await opened.fail("ord_1");
  await recoverer.close();
  const lost = await opened.recover();
  const rows = await world.store.list({ prefix: [world.partition, "recovery"], limit: 10 });
  const mutations = rows.map(({ key }) => ({ type: "delete" as const, key }));
  await world.store.commit(world.partition, { mutations });
  await expect(opened.service.webhooks.getRecovery(accountId, lost.id)).rejects.toThrow("No such recovery");
  await expect(opened.recover()).rejects.toMatchObject({ code: "invalid_state" });
  await opened.worker.close();
  const second = opened.open("worker_2");
  await second.worker.start();
  second.recoverer.start();
  await world.clock.advance(2_000);
  expect(await opened.finish(await opened.recover())).toMatchObject({ found: 1, resent: 1 });
  await second.recoverer.close();
  await second.worker.close();
});

// Processes of several versions run side by side during an upgrade, and a rollback may find any row.
it("the row of a recovery is the one that versions without other jobs write", async () => {
  await using opened = await openRecoveries();
  const { world, webhookId } = opened;
  await opened.fail("ord_1");
  const expected = {
    webhook_id: webhookId,
    event: "order.created",
    project_id: null,
    since: Date.parse(opened.since),
    until: world.clock.now(),
    statuses: ["failed", "cancelled"],
    missed: true,
    created_at: world.clock.now(),
  };
  const started = await opened.recover({ missed: true });
  const read = async (): Promise<unknown> =>
    JSON.parse((await world.store.get(keys.resend(accountId, started.id))) ?? "");
  expect(await read()).toEqual({
    ...expected,
    id: started.id,
    status: "running",
    found: 1,
    resent: 0,
    finished_at: null,
    stage: "send",
    position: { list: "log" },
  });
  await opened.finish(started);
  const ended = { status: "finished", found: 1, resent: 1, position: { list: "end" } };
  expect(await read()).toMatchObject({ ...expected, ...ended });
});

it("a resend that is made at the same time is not repeated", async () => {
  let meanwhile: (() => Promise<unknown>) | undefined;
  await using opened = await openRecoveries({
    wrapStore: (inner) => ({
      ...inner,
      async commit(name, commit) {
        if (commit.mutations.some(({ key }) => key[1] === "fresh")) {
          const first = meanwhile;
          meanwhile = undefined;
          await first?.();
        }
        return inner.commit(name, commit);
      },
    }),
  });
  await opened.fail("ord_1", "ord_2");
  const { rows } = await opened.service.deliveries.list(accountId, {}, { limit: 1 });
  meanwhile = () => opened.service.deliveries.resend(accountId, rows[0]?.id ?? "");
  expect(await opened.finish(await opened.recover())).toMatchObject({ found: 2, resent: 1 });
  await opened.world.clock.advance(1_000);
  expect(opened.sent().toSorted()).toEqual(["ord_1", "ord_2"]);
});

it("is refused with a code that says why", async () => {
  await using opened = await openRecoveries();
  const { webhooks, accounts } = opened.service;
  const recover = (input: unknown, webhookId = opened.webhookId) =>
    webhooks.recover(accountId, webhookId, input);
  const { since } = opened;
  for (const input of [
    {},
    null,
    { since: "yesterday" },
    { since: "2099-01-01T00:00:00Z" },
    { since, until: since },
    { since, until: "2020-01-01T00:00:00Z" },
    { since, statuses: ["delivered"] },
    { since, missed: "yes" },
  ])
    await expect(recover(input)).rejects.toMatchObject({ code: "validation_failed", status: 422 });
  await expect(recover({ since }, "wh_none")).rejects.toMatchObject({ code: "resource_not_found" });
  await expect(webhooks.recoverAny("wh_none", {})).rejects.toMatchObject({ code: "validation_failed" });
  await expect(webhooks.recoverAny("wh_none", { since })).rejects.toMatchObject({
    code: "resource_not_found",
  });
  await webhooks.pause(accountId, opened.webhookId);
  await expect(recover({ since })).rejects.toMatchObject({ code: "invalid_state", status: 409 });
  await webhooks.resume(accountId, opened.webhookId);
  await accounts.put(accountId, { status: "suspended" });
  await expect(recover({ since })).rejects.toMatchObject({ code: "account_unavailable" });
  await accounts.put(accountId, { status: "active" });
  const running = await webhooks.recoverAny(opened.webhookId, { since });
  await expect(recover({ since })).rejects.toMatchObject({
    code: "invalid_state",
    message: `Recovery ${running.id} of this webhook is running. Wait until it ends, or stop it.`,
  });
  await expect(webhooks.getRecovery("acc_2", running.id)).rejects.toMatchObject({
    code: "resource_not_found",
  });
  await expect(webhooks.stopRecovery(accountId, "rcv_none")).rejects.toMatchObject({
    code: "resource_not_found",
  });
  const ended = await opened.finish(running);
  await expect(webhooks.stopRecovery(accountId, ended.id)).rejects.toMatchObject({ code: "invalid_state" });
});

it("of several requests at once, one starts", async () => {
  await using opened = await openRecoveries();
  await opened.fail("ord_1");
  await opened.recoverer.close();
  const all = await Promise.allSettled(Array.from({ length: 5 }, () => opened.recover()));
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

it("are listed newest first, at most a hundred, and until 30 days after their end", async () => {
  await using opened = await openRecoveries();
  const { webhooks } = opened.service;
  const ids: string[] = [];
  for (let count = 0; count < 103; count++) ids.push((await opened.finish(await opened.recover())).id);
  const first = await webhooks.listRecoveries(accountId, opened.webhookId, { limit: 60 });
  const cursor = first.meta.next_cursor ?? undefined;
  const second = await webhooks.listRecoveries(accountId, opened.webhookId, { limit: 60, cursor });
  expect([...first.rows, ...second.rows].map(({ id }) => id)).toEqual(ids.slice(3).toReversed());
  expect(second.meta.has_more).toBe(false);
  const gone = ids[0] ?? "";
  await expect(webhooks.getRecovery(accountId, gone)).rejects.toMatchObject({ code: "resource_not_found" });
  opened.world.clock.jump(30 * 24 * 60 * 60 * 1_000 + 1);
  expect((await webhooks.listRecoveries(accountId, opened.webhookId, { limit: 1 })).rows).toEqual([]);
});

describe("a recovery of a webhook with several events", () => {
  const subscription = { events: ["order.created", "order.paid"] };

  /** Resumes the webhook and recovers what it missed. Answers the job and the deliveries, ordered by event. */
  async function recoverMissed(opened: Awaited<ReturnType<typeof openRecoveries>>) {
    const { service, webhookId, world } = opened;
    await service.webhooks.resume(accountId, webhookId);
    await world.clock.advance(1_000);
    const ended = await opened.finish(await opened.recover({ missed: true }));
    const { rows } = await service.deliveries.list(accountId, {}, { limit: 10 });
    return { ended, deliveries: rows.map(({ body_id, status }) => [body_id, status]).toSorted() };
  }

  const bothRecovered = {
    ended: { found: 2, resent: 2 },
    deliveries: [
      ["order.created_ord_1", "delivered"],
      ["order.paid_ord_1", "delivered"],
    ],
  };

  it("sends each failed event again, also two of one record", async () => {
    await using opened = await openRecoveries({ subscription });
    const { service, webhookId, world } = opened;
    world.transport.answerWith(() => answered(500));
    for (const event of ["order.created", "order.paid"])
      for (const orderId of ["ord_1", "ord_2"]) await opened.publish(orderId, event);
    await world.clock.advance(1_000);
    world.transport.answerWith(() => answered(200));
    opened.sent();
    const ended = await opened.finish(await opened.recover());
    expect(ended).toMatchObject({ status: "finished", found: 4, resent: 4 });
    const { rows } = await service.deliveries.list(
      accountId,
      { webhook_id: webhookId, kind: "resend" },
      { limit: 10 },
    );
    expect(rows.map(({ body_id }) => body_id).toSorted()).toEqual([
      "order.created_ord_1",
      "order.created_ord_2",
      "order.paid_ord_1",
      "order.paid_ord_2",
    ]);
    expect(await opened.finish(await opened.recover())).toMatchObject({ found: 0, resent: 0 });
    expect(world.errors).toEqual([]);
  });

  it("sends what it missed, with its event, also two events of one record in one millisecond", async () => {
    await using opened = await openRecoveries({ subscription });
    const { service, webhookId } = opened;
    await service.webhooks.pause(accountId, webhookId);
    for (const event of ["order.created", "order.paid"]) await opened.publish("ord_1", event);
    expect(await recoverMissed(opened)).toMatchObject(bothRecovered);
    expect(await opened.finish(await opened.recover({ missed: true }))).toMatchObject({ found: 0 });
  });

  it("also sends what it missed when it had one event", async () => {
    await using opened = await openRecoveries();
    const { service, webhookId } = opened;
    await service.webhooks.pause(accountId, webhookId);
    await opened.publish("ord_1", "order.created");
    await service.webhooks.update(accountId, webhookId, { events: ["order.paid", "review.submitted"] });
    await opened.publish("ord_1", "order.paid");
    expect(await recoverMissed(opened)).toMatchObject(bothRecovered);
  });
});
