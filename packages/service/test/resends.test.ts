import { expect, it } from "vitest";
import type { Resend } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import { keys } from "../src/rows/keys.ts";
import { accountId, answered } from "./support/fake-world.ts";
import { openThree, owner, timesSent, urls } from "./support/open-resends.ts";

const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `ord_${index}`);

it("sends again what failed of several webhooks, each event once", async () => {
  const { opened, webhookIds, start, finish } = await openThree();
  await using _ = opened;
  await opened.fail("ord_1", "ord_2");
  const sentBefore = opened.world.transport.sent.length;
  const job = await start({ statuses: ["failed"] });
  expect(job).toEqual({
    id: expect.stringMatching(/^rcv_[0-9a-f]{32}$/u),
    filter: { statuses: ["failed"] },
    not_sent: false,
    status: "running",
    found: 6,
    resent: 0,
    skipped: 0,
    created_at: "2026-11-20T09:30:01Z",
    finished_at: null,
  });
  const ended = await finish(job);
  expect(ended).toMatchObject({ status: "finished", found: 6, resent: 6, skipped: 0 });
  await opened.world.clock.advance(1_000);
  const times = timesSent(opened, sentBefore);
  expect([times.size, new Set(times.values())]).toEqual([6, new Set([1])]);
  expect(webhookIds).toHaveLength(3);
  expect(opened.world.errors).toEqual([]);
});

it("a hundred chosen deliveries are sent, and asking twice sends nothing twice", async () => {
  const { opened, run, preview, log } = await openThree();
  await using _ = opened;
  const { webhooks } = opened.service;
  // A webhook is switched off after thirty failures in a row.
  for (let first = 0; first < 34; first += 17) {
    await opened.fail(...ids(34).slice(first, first + 17));
    await opened.publish(`ord_good_${first}`);
    await opened.world.clock.advance(1_000);
  }
  expect((await webhooks.list(accountId, { limit: 10 })).rows.map(({ status }) => status)).toEqual(
    Array.from({ length: 3 }, () => "active"),
  );
  const failed = (await opened.service.deliveries.list(accountId, { status: "failed" }, { limit: 100 })).rows;
  const chosen = { delivery_ids: failed.map(({ id }) => id) };
  expect(failed).toHaveLength(100);
  expect(await preview(chosen)).toEqual({ found: 100, skipped: 0, complete: true });
  const sentBefore = opened.world.transport.sent.length;
  expect(await run(chosen)).toMatchObject({ status: "finished", found: 100, resent: 100, skipped: 0 });
  await opened.world.clock.advance(5_000);
  const times = timesSent(opened, sentBefore);
  expect([times.size, new Set(times.values())]).toEqual([100, new Set([1])]);
  const again = await run({ delivery_ids: [...chosen.delivery_ids, "dlv_gone"] });
  expect(again).toMatchObject({ found: 1, resent: 0, skipped: 1 });
  expect(again.filter).toEqual({ statuses: ["delivered", "failed", "cancelled"], chosen: 101 });
  expect((await log(1))[0]?.kind).toBe("resend");
});

it("another worker continues a job over three webhooks whose worker was killed, and repeats nothing", async () => {
  const { opened, start, finish } = await openThree({ recoverer: { maximumPending: 100 } });
  await using _ = opened;
  for (let first = 0; first < 200; first += 20) {
    await opened.fail(...ids(200).slice(first, first + 20));
    await opened.publish(`ord_good_${first}`);
    await opened.world.clock.advance(1_000);
  }
  await opened.recoverer.close();
  await opened.worker.close();
  const sentBefore = opened.world.transport.sent.length;
  const killed = opened.open("worker_2");
  await killed.worker.start();
  killed.recoverer.start();
  const job = await start({ statuses: ["failed"] });
  expect(job.found).toBe(600);
  while ((await opened.service.resends.get(accountId, job.id)).resent < 100)
    await opened.world.clock.advance(100);
  // Its runner is not closed: without its lease it must do nothing.
  await killed.worker.close();
  const second = opened.open("worker_3");
  await second.worker.start();
  second.recoverer.start();
  expect(await finish(job)).toMatchObject({ status: "finished", found: 600, resent: 600, skipped: 0 });
  await opened.world.clock.advance(60_000);
  const times = timesSent(opened, sentBefore);
  expect([times.size, new Set(times.values())]).toEqual([600, new Set([1])]);
  await killed.recoverer.close();
  await second.recoverer.close();
  await second.worker.close();
});

it("a slow webhook does not keep the others of a job from being sent", async () => {
  const { opened, start } = await openThree({ recoverer: { maximumPending: 100 } });
  await using _ = opened;
  for (let first = 0; first < 200; first += 20) {
    await opened.fail(...ids(200).slice(first, first + 20));
    await opened.publish(`ord_good_${first}`);
    await opened.world.clock.advance(1_000);
  }
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  opened.world.transport.answerWith(({ targetUrl }) =>
    targetUrl === urls[1] ? released.then(() => answered(200)) : answered(200),
  );
  const job = await start({ statuses: ["failed"] });
  await opened.world.clock.advance(60_000);
  expect(await opened.service.resends.get(accountId, job.id)).toMatchObject({
    status: "running",
    found: 600,
    resent: 500,
  });
  release();
});

it("every condition of the filter selects deliveries", async () => {
  const { opened, webhookIds, preview } = await openThree();
  await using _ = opened;
  const { service, world } = opened;
  const { clock, transport } = world;
  await service.projects.put("site_2", { account_id: accountId });
  await service.webhooks.create(owner, { event: "review.submitted", target_url: "https://example.com/hook" });
  await opened.fail("ord_1");
  await clock.advance(600_000);
  const middle = new Date(clock.now()).toISOString();
  transport.answerWith(() => answered(503));
  await opened.publish("ord_2");
  await clock.advance(1_000);
  transport.answerWith(() => answered(200));
  await opened.publish("ord_3");
  await clock.advance(1_000);
  const { rows } = await service.deliveries.list(accountId, { status: "failed" }, { limit: 10 });
  const failed = { statuses: ["failed"] };
  const found = async (filter: object) => (await preview(filter)).found;
  expect(await found(failed)).toBe(6);
  expect(await found({ statuses: ["failed", "cancelled", "delivered"] })).toBe(9);
  expect(await found({ statuses: ["delivered"] })).toBe(3);
  expect(await found({ statuses: ["cancelled"] })).toBe(0);
  expect(await found({ ...failed, webhook_ids: webhookIds.slice(0, 2) })).toBe(4);
  expect(await found({ ...failed, project_id: "site_1" })).toBe(6);
  expect(await found({ ...failed, project_id: "site_2" })).toBe(0);
  expect(await found({ ...failed, event: "order.created" })).toBe(6);
  expect(await found({ ...failed, event: "review.submitted" })).toBe(0);
  expect(await found({ ...failed, since: middle })).toBe(3);
  expect(await found({ ...failed, until: middle })).toBe(3);
  expect(await found({ ...failed, http_status: 503 })).toBe(3);
  expect(await found({ ...failed, error: "status" })).toBe(6);
  expect(await found({ ...failed, error: "timeout" })).toBe(0);
  expect(await found({ ...failed, q: "ord_2" })).toBe(3);
  expect(await found({ ...failed, q: "order.created_ord_1" })).toBe(3);
  expect(await found({ ...failed, q: rows[0]?.id })).toBe(1);
  expect(await found({ ...failed, q: "ord_3" })).toBe(0);
  expect(await found({ delivery_ids: rows.slice(0, 2).map(({ id }) => id) })).toBe(2);
  expect(await found({ delivery_ids: rows.map(({ id }) => id), webhook_ids: webhookIds.slice(0, 1) })).toBe(
    2,
  );
  expect(await found({ statuses: ["delivered"], delivery_ids: rows.map(({ id }) => id) })).toBe(0);
});

it("an issue selects exactly its deliveries, also those that failed otherwise later", async () => {
  const { opened, webhookIds, preview, run } = await openThree({ worker: { retryDelaysSeconds: [60] } });
  await using _ = opened;
  const { service, world } = opened;
  const { clock, transport } = world;
  const publish = async (id: string, first: number, second: number): Promise<void> => {
    transport.answerWith(() => answered(first));
    await opened.publish(id);
    await clock.advance(1_000);
    transport.answerWith(() => answered(second));
    await clock.advance(90_000);
  };
  await publish("ord_1", 503, 500);
  await publish("ord_2", 500, 500);
  await publish("ord_3", 503, 200);
  const issues = await service.issues.list(owner, { webhook_id: webhookIds[0] });
  const issue = issues.find(({ http_status: status }) => status === 503)?.id;
  const filter = { statuses: ["failed"], issue };
  expect(await preview(filter)).toEqual({ found: 1, skipped: 0, complete: true });
  expect(await preview({ ...filter, webhook_ids: webhookIds.slice(1) })).toMatchObject({ found: 0 });
  const from = transport.sent.length;
  const job = await run(filter);
  expect(job).toMatchObject({ filter: { statuses: ["failed"], issue }, found: 1, resent: 1 });
  await clock.advance(1_000);
  expect([...timesSent(opened, from)]).toEqual([[`${urls[0]} ord_1`, 1]]);
});

it("a text that begins like the id of a delivery selects webhooks, as in the list", async () => {
  const { opened, preview } = await openThree();
  await using _ = opened;
  const target_url = "https://example.com/dlv_shop";
  await opened.service.webhooks.create(owner, { event: "order.created", target_url });
  await opened.fail("ord_1");
  const q = "dlv_shop";
  expect((await opened.service.deliveries.list(accountId, { q }, { limit: 10 })).rows).toHaveLength(1);
  expect(await preview({ statuses: ["failed"], q })).toMatchObject({ found: 1 });
});

it("a record whose id begins like that of a delivery is found, as in the list", async () => {
  const { opened, preview, run } = await openThree();
  await using _ = opened;
  await opened.fail("dlv_1001");
  await opened.fail("ord_1");
  const filter = { statuses: ["failed"], q: "dlv_1001" };
  const { rows } = await opened.service.deliveries.list(accountId, { q: filter.q }, { limit: 10 });
  expect(rows).toHaveLength(3);
  expect(await preview(filter)).toMatchObject({ found: 3 });
  expect(await preview({ ...filter, delivery_ids: rows.map(({ id }) => id) })).toMatchObject({ found: 3 });
  expect(await preview({ ...filter, q: "ord_1", delivery_ids: rows.map(({ id }) => id) })).toMatchObject({
    found: 0,
  });
  expect(await run(filter)).toMatchObject({ found: 3, resent: 3 });
  await opened.world.clock.advance(1_000);
  expect(await preview(filter)).toMatchObject({ found: 0 });
});

it("a job of an outcome finds as many events as the list counts, and not their resends", async () => {
  const { opened, preview, run } = await openThree();
  await using _ = opened;
  const { service, world } = opened;
  const { clock, transport } = world;
  await opened.fail("ord_1", "ord_2");
  await clock.advance(600_000);
  const middle = new Date(clock.now()).toISOString();
  const { rows } = await service.deliveries.list(accountId, { status: "failed" }, { limit: 10 });
  transport.answerWith(() => answered(500));
  for (const { id } of rows.slice(0, 2)) await service.deliveries.resend(accountId, id);
  await clock.advance(1_000);
  await opened.fail("ord_3");
  expect(await preview({ statuses: ["failed"], since: middle })).toMatchObject({ found: 5 });
  for (const period of [{}, { since: middle }, { until: middle }])
    for (const q of [undefined, "ord_", "https://example.com/hook"]) {
      const { failed } = await service.deliveries.count(accountId, { outcome: "failed", q, ...period });
      expect(failed).toBeGreaterThan(0);
      expect(await preview({ outcome: "failed", q, ...period })).toMatchObject({ found: failed, skipped: 0 });
    }
  const job = await run({ outcome: "failed", since: middle });
  expect(job).toMatchObject({ filter: { statuses: ["failed"], outcome: "failed" }, found: 3, resent: 3 });
  await clock.advance(1_000);
  expect((await service.deliveries.count(accountId, { outcome: "failed", since: middle })).failed).toBe(0);
});

it("a job of the cancelled outcome finds as many events as the list counts, and sends them", async () => {
  const { opened, webhookIds, preview, run } = await openThree({ worker: { retryDelaysSeconds: [60] } });
  await using _ = opened;
  const { service, world } = opened;
  await opened.fail("ord_1", "ord_2");
  for (const id of webhookIds) await service.webhooks.pause(accountId, id);
  // Their retries become due.
  await world.clock.advance(120_000);
  for (const id of webhookIds) await service.webhooks.resume(accountId, id);
  await opened.publish("ord_3");
  await world.clock.advance(1_000);
  const countCancelled = async () =>
    (await service.deliveries.count(accountId, { outcome: "cancelled" })).cancelled;
  expect(await countCancelled()).toBe(6);
  expect(await preview({ outcome: "failed" })).toMatchObject({ found: 0 });
  expect(await preview({ outcome: "cancelled" })).toEqual({ found: 6, skipped: 0, complete: true });
  const job = await run({ outcome: "cancelled" });
  expect(job).toMatchObject({
    filter: { statuses: ["cancelled"], outcome: "cancelled" },
    status: "finished",
    found: 6,
    resent: 6,
  });
  await world.clock.advance(1_000);
  expect(await countCancelled()).toBe(0);
  expect(await preview({ outcome: "cancelled" })).toMatchObject({ found: 0 });
});

it("what was accepted is sent again if this is asked for, once", async () => {
  const { opened, run } = await openThree();
  await using _ = opened;
  await opened.publish("ord_1");
  await opened.world.clock.advance(1_000);
  expect(await run({ statuses: ["delivered"] })).toMatchObject({ found: 3, resent: 3 });
  await opened.world.clock.advance(1_000);
  // Two accepted deliveries of each event.
  expect(await run({ statuses: ["delivered"] })).toMatchObject({ found: 3, resent: 3 });
});

it("an event that is accepted while the job waits is skipped", async () => {
  const { opened, start, finish, log } = await openThree();
  await using _ = opened;
  await opened.fail("ord_1");
  await opened.recoverer.close();
  const job = await start({ statuses: ["failed"] });
  await opened.service.deliveries.resend(accountId, (await log(1))[0]?.id ?? "");
  await opened.world.clock.advance(1_000);
  const { recoverer } = opened.open("worker_2", { worker: opened.worker });
  recoverer.start();
  expect(await finish(job)).toMatchObject({ status: "finished", found: 3, resent: 2, skipped: 1 });
  await recoverer.close();
});

it("webhooks that are not active are skipped, and dry_run says so", async () => {
  const { opened, webhookIds, run, preview } = await openThree();
  await using _ = opened;
  await opened.fail("ord_1", "ord_2");
  await opened.service.webhooks.pause(accountId, webhookIds[1] ?? "");
  expect(await preview({ statuses: ["failed"] })).toEqual({ found: 6, skipped: 2, complete: true });
  const ended = await run({ statuses: ["failed"] });
  expect(ended).toMatchObject({ status: "finished", found: 6, resent: 4, skipped: 2 });
  await opened.service.webhooks.remove(accountId, webhookIds[2] ?? "");
  const { rows } = await opened.service.deliveries.list(
    accountId,
    { webhook_id: webhookIds[2] },
    { limit: 1 },
  );
  // A chosen delivery of a removed webhook.
  expect(await run({ delivery_ids: rows.map(({ id }) => id) })).toMatchObject({ resent: 0 });
});

it("not_sent sends the events that several webhooks missed, also alone", async () => {
  const { opened, webhookIds, run, preview } = await openThree();
  await using _ = opened;
  const { webhooks } = opened.service;
  for (const id of webhookIds) await webhooks.pause(accountId, id);
  await opened.publish("ord_1");
  await opened.publish("ord_2");
  await opened.world.clock.advance(1_000);
  for (const id of webhookIds.slice(0, 2)) await webhooks.resume(accountId, id);
  await opened.fail("ord_3");
  expect(await preview({}, { not_sent: true })).toEqual({ found: 7, skipped: 3, complete: true });
  expect(await preview({ event: "review.submitted" }, { not_sent: true })).toMatchObject({ found: 0 });
  // Conditions of deliveries do not apply to missed events.
  const rowFilters = { statuses: ["failed"], q: "ord_3", http_status: 500, error: "status" };
  expect(await preview(rowFilters, { not_sent: true })).toEqual({ found: 9, skipped: 3, complete: true });
  const { rows } = await opened.service.deliveries.list(accountId, { status: "failed" }, { limit: 1 });
  const choice = { delivery_ids: rows.map(({ id }) => id) };
  expect(await preview(choice, { not_sent: true })).toEqual({ found: 8, skipped: 3, complete: true });
  expect(await run({ project_id: "site_1" }, { not_sent: true })).toMatchObject({
    found: 7,
    resent: 4,
    skipped: 3,
  });
  expect(await run({ statuses: ["failed"] }, { not_sent: true })).toMatchObject({ found: 5, resent: 2 });
  await webhooks.resume(accountId, webhookIds[2] ?? "");
  expect(await run({}, { not_sent: true })).toMatchObject({ found: 3, resent: 3 });
  expect(await run({}, { not_sent: true })).toMatchObject({ found: 0, resent: 0 });
});

it("a stopped job creates no more deliveries", async () => {
  const { opened, start } = await openThree();
  await using _ = opened;
  await opened.fail("ord_1");
  await opened.recoverer.close();
  const { resends, audit } = opened.service;
  const job = await start({ statuses: ["failed"] });
  expect(await resends.stop(accountId, job.id)).toMatchObject({ status: "stopped", found: 3, resent: 0 });
  await expect(resends.stop(accountId, job.id)).rejects.toMatchObject({
    code: "invalid_state",
    message: "This job has stopped already.",
  });
  const { recoverer } = opened.open("worker_2", { worker: opened.worker });
  recoverer.start();
  await opened.world.clock.advance(5_000);
  expect(opened.sent()).toEqual([]);
  const entries = await audit.listOfAccount(accountId, {}, { limit: 2 });
  expect(entries.rows.map(({ action, target }) => [action, target])).toEqual([
    ["resend.stopped", { kind: "resend", id: job.id }],
    ["resend.started", { kind: "resend", id: job.id }],
  ]);
  await recoverer.close();
});

it("recoveries are jobs with one webhook, and the jobs are listed newest first", async () => {
  const { opened, webhookIds, start, finish } = await openThree();
  await using _ = opened;
  const { resends, webhooks } = opened.service;
  await opened.fail("ord_1");
  const job = await finish(await start({ statuses: ["failed"], webhook_ids: webhookIds.slice(1) }));
  const recovery = await opened.finish(await opened.recover());
  const { rows } = await resends.list(accountId, { limit: 10 });
  expect(rows).toEqual([
    {
      id: recovery.id,
      filter: {
        statuses: ["failed", "cancelled"],
        webhook_ids: [opened.webhookId],
        since: recovery.since,
        until: recovery.until,
      },
      not_sent: false,
      status: "finished",
      found: 1,
      resent: 1,
      skipped: 0,
      created_at: recovery.created_at,
      finished_at: recovery.finished_at,
    },
    job,
  ]);
  expect(await resends.get(accountId, recovery.id)).toEqual(rows[0]);
  await expect(webhooks.getRecovery(accountId, job.id)).rejects.toMatchObject({ code: "resource_not_found" });
  await expect(webhooks.stopRecovery(accountId, job.id)).rejects.toMatchObject({
    code: "resource_not_found",
  });
});

it("is refused with a message that names the input", async () => {
  const { opened, start, preview, log } = await openThree();
  await using _ = opened;
  const { service, world } = opened;
  await service.accounts.put("acc_2", { email: "other@example.com" });
  await service.projects.put("site_other", { account_id: "acc_2" });
  const other = await service.webhooks.create(
    { accountId: "acc_2", credential: { type: "console" } },
    { event: "order.created", target_url: "https://example.com/other" },
  );
  const failed = { statuses: ["failed"] };
  const refusals: readonly [object, RegExp][] = [
    [{}, /^filter\.statuses: is needed/u],
    [{ statuses: [] }, /^filter\.statuses: is needed/u],
    [{ statuses: ["pending"] }, /^filter\.statuses\.0: must be delivered, failed or cancelled/u],
    [{ ...failed, webhook_ids: ["wh_none"] }, /^filter\.webhook_ids: no such webhook: wh_none$/u],
    [{ ...failed, webhook_ids: [other.webhook.id] }, /^filter\.webhook_ids: no such webhook: wh_/u],
    [{ ...failed, since: "yesterday" }, /^filter\.since: /u],
    [{ ...failed, since: "2099-01-01T00:00:00Z" }, /^filter\.since: must not be in the future$/u],
    [
      { ...failed, since: "2026-11-20T00:00:00Z", until: "2026-11-19T00:00:00Z" },
      /^filter\.until: must be later than filter\.since$/u,
    ],
    [{ ...failed, http_status: 99 }, /^filter\.http_status: /u],
    [{ ...failed, http_status: "503" }, /^filter\.http_status: /u],
    [{ ...failed, error: "nonsense" }, /^filter\.error: /u],
    [{ ...failed, issue: "iss_none" }, /^filter\.issue: no such issue: iss_none$/u],
    [{ ...failed, q: "x".repeat(513) }, /^filter\.q: /u],
    [{ delivery_ids: ids(1_001) }, /^filter\.delivery_ids: /u],
  ];
  for (const [filter, message] of refusals)
    for (const call of [start, preview])
      await expect(call(filter)).rejects.toMatchObject({
        code: "validation_failed",
        message: expect.stringMatching(message),
      });
  await expect(service.resends.start(accountId, {})).rejects.toMatchObject({
    message: "filter: is required",
  });
  for (const call of [start, preview]) {
    await expect(call({ ...failed, project_id: "site_other" })).rejects.toMatchObject({
      code: "invalid_project",
      message: "filter.project_id: is not one of the account's sites",
    });
    await expect(call({ ...failed, event: "order.creatd" })).rejects.toMatchObject({
      code: "unknown_event",
      message: expect.stringMatching(/^filter\.event: .*order\.created/u),
    });
  }
  // Deliveries and jobs of another account do not exist.
  await opened.fail("ord_1");
  const [mine] = await log(1);
  for (const id of [mine?.id, "dlv_none"])
    expect(await service.resends.preview("acc_2", { filter: { delivery_ids: [id] } })).toEqual({
      found: 1,
      skipped: 1,
      complete: true,
    });
  const job = await start(failed);
  await expect(service.resends.get("acc_2", job.id)).rejects.toMatchObject({ code: "resource_not_found" });
  await expect(service.resends.stop("acc_2", job.id)).rejects.toMatchObject({ code: "resource_not_found" });
  await service.accounts.put(accountId, { status: "suspended" });
  await expect(start(failed)).rejects.toMatchObject({ code: "account_unavailable" });
  expect(world.errors).toEqual([]);
});

it("ten jobs of an account run at the same time, and a hundred are kept", async () => {
  const { opened, start, run } = await openThree();
  await using _ = opened;
  const jobs: Resend[] = [];
  for (let count = 0; count < 102; count++) jobs.push(await run({ statuses: ["failed"] }));
  const { rows } = await opened.service.resends.list(accountId, { limit: 100 });
  expect(rows.map(({ id }) => id)).toEqual(
    jobs
      .slice(2)
      .map(({ id }) => id)
      .toReversed(),
  );
  await opened.recoverer.close();
  for (let count = 0; count < 10; count++) await start({ statuses: ["failed"] });
  await expect(start({ statuses: ["failed"] })).rejects.toMatchObject({
    code: "invalid_state",
    message: "10 jobs of this account are running. Wait until one ends, or stop one.",
  });
});

it("of fifty jobs that are started at once, ten run, and each end makes a place", async () => {
  const { opened, start } = await openThree();
  await using _ = opened;
  await opened.recoverer.close();
  const failed = { statuses: ["failed"] };
  const started = await Promise.allSettled(Array.from({ length: 50 }, () => start(failed)));
  const jobs = started.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  expect(jobs).toHaveLength(10);
  for (const { id } of jobs.slice(0, 2)) await opened.service.resends.stop(accountId, id);
  const further = await Promise.allSettled([1, 2, 3].map(() => start(failed)));
  expect(further.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
});

it("a page of the jobs of a key reads a limited number of jobs", async () => {
  let read = 0;
  const { opened, run } = await openThree({
    wrapStore: (inner) => ({
      ...inner,
      async list(options) {
        const entries = await inner.list(options);
        if (options.prefix[1] === "recovery") read += entries.length;
        return entries;
      },
    }),
  });
  await using _ = opened;
  const { service } = opened;
  const key = await service.apiKeys.create(accountId, { name: "mine" });
  const caller = await service.authenticate(key.api_key);
  const job = await run({ statuses: ["failed"] });
  const text = (await opened.world.store.get(keys.resend(accountId, job.id))) ?? "";
  await opened.world.store.commit(partitionOf(accountId), {
    mutations: Array.from({ length: 600 }, (_each, number) => ({
      type: "set",
      key: keys.resend(accountId, `rcv_${String(number).padStart(4, "0")}`),
      value: text,
    })),
  });
  read = 0;
  const page = await service.developer.listResends(caller, { limit: 10 });
  expect(page).toMatchObject({ rows: [], meta: { has_more: true } });
  expect(read).toBeGreaterThan(500);
  expect(read).toBeLessThan(601);
});

it("a key sees and sends only what its own webhooks got", async () => {
  const { opened, finish } = await openThree();
  await using _ = opened;
  const { service } = opened;
  const key = await service.apiKeys.create(accountId, { name: "mine" });
  const caller = await service.authenticate(key.api_key);
  const { webhook } = await service.webhooks.create(caller, {
    event: "order.created",
    target_url: "https://example.com/of-key",
  });
  await opened.fail("ord_1");
  await opened.recoverer.close();
  const { developer } = service;
  const { rows } = await service.deliveries.list(accountId, { status: "failed" }, { limit: 10 });
  const others = rows.filter((row) => row.webhook_id !== webhook.id);
  const failed = { statuses: ["failed"] };
  const all = await service.resends.start(accountId, { filter: failed });
  expect(all.found).toBe(4);
  await expect(developer.getResend(caller, all.id)).rejects.toMatchObject({ code: "resource_not_found" });
  await expect(developer.stopResend(caller, all.id)).rejects.toMatchObject({ code: "resource_not_found" });
  await service.resends.stop(accountId, all.id);
  expect(await developer.previewResend(caller, { filter: failed })).toMatchObject({ found: 1 });
  await expect(
    developer.startResend(caller, { filter: { ...failed, webhook_ids: [opened.webhookId] } }),
  ).rejects.toMatchObject({ code: "validation_failed" });
  const chosen = { delivery_ids: others.map(({ id }) => id) };
  expect(await developer.previewResend(caller, { filter: chosen })).toMatchObject({ found: 3, skipped: 3 });
  // Of no webhook.
  const none = await service.resends.start(accountId, { filter: { delivery_ids: ["dlv_gone"] } });
  await expect(developer.stopResend(caller, none.id)).rejects.toMatchObject({ code: "resource_not_found" });
  const own = await developer.startResend(caller, { filter: failed });
  const { recoverer } = opened.open("worker_2", { worker: opened.worker });
  recoverer.start();
  expect(await finish(own)).toMatchObject({ found: 1, resent: 1 });
  const listed = await developer.listResends(caller, { limit: 10 });
  expect(listed.rows.map(({ id }) => id)).toEqual([own.id]);
  await service.webhooks.remove(accountId, webhook.id);
  expect(await developer.getResend(caller, own.id)).toMatchObject({ id: own.id, resent: 1 });
  expect(await finish(none)).toMatchObject({ status: "finished", found: 1, resent: 0, skipped: 1 });
  await recoverer.close();
});
