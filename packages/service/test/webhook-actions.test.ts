import { sampleDeliveryBody } from "@hookwright/domain";
import type { WebhookAction } from "@hookwright/domain";
import { partitions } from "@hookwright/storage";
import type { Commit, Store } from "@hookwright/storage";
import { expect, it } from "vitest";
import type { Service } from "../src/use-cases.ts";
import { rest } from "../../delivery/test/support/fake-clock.ts";
import { answered } from "./support/fake-world.ts";
import { openRecoveries } from "./support/open-recoveries.ts";
import type { Recoveries } from "./support/open-recoveries.ts";
import { openService } from "./support/open-service.ts";

const credential = { type: "console" } as const;
const switchedOff = { status: "switched_off" } as const;

interface Outage extends Recoveries {
  /** The webhooks that the outage has switched off. Each has missed one order of its account. */
  readonly urls: readonly string[];
  /** Lets time pass until an action ends. */
  end(action: WebhookAction): Promise<WebhookAction>;
  /** How often each URL got each order since the outage. */
  sentTo(): ReadonlyMap<string, number>;
  /** The status of each webhook. */
  statuses(): Promise<readonly string[]>;
}

/** Accounts with three webhooks each, all switched off by an outage. */
async function openOutage(
  accounts: number,
  options: Parameters<typeof openRecoveries>[0] = {},
): Promise<Outage> {
  const opened = await openRecoveries({ ...options, worker: { partitions } });
  const { service, world } = opened;
  const { clock, transport } = world;
  const owners = Array.from({ length: accounts }, (_, index) => `acc_of_${index}`);
  const urls: string[] = [];
  const publish = async (accountId: string, id: string): Promise<void> => {
    const data = { ...sampleDeliveryBody("order.created").data, id };
    await service.publish({ event: "order.created", project_id: `site_of_${accountId}`, data });
  };
  for (const accountId of owners) {
    await service.accounts.put(accountId, { email: `${accountId}@example.com` });
    await service.projects.put(`site_of_${accountId}`, { account_id: accountId });
    for (const hook of ["a", "b", "c"]) {
      const target_url = `https://${accountId.replaceAll("_", "-")}.example.com/${hook}`;
      await service.webhooks.create({ accountId, credential }, { event: "order.created", target_url });
      urls.push(target_url);
    }
  }
  // Leases of all partitions are acquired one after the other.
  await clock.advance(20_000);
  transport.answerWith(() => answered(500));
  for (let order = 0; order < 30; order++)
    for (const accountId of owners) await publish(accountId, `ord_${order}`);
  const statuses = async (): Promise<readonly string[]> => {
    const { rows } = await service.webhooks.listAll({}, { limit: 500 });
    return rows.filter(({ account_id }) => account_id !== "acc_1").map(({ status }) => status);
  };
  for (let step = 0; (await statuses()).includes("active"); step++) {
    if (step > 60) throw new Error("the webhooks are never switched off");
    await clock.advance(1_000);
    await rest(20);
  }
  for (const accountId of owners) await publish(accountId, "ord_missed");
  transport.answerWith(() => answered(200));
  const sentBefore = transport.sent.length;
  return {
    ...opened,
    urls,
    async end(action) {
      for (let second = 0; second < 30; second++) {
        await clock.advance(1_000);
        // A step reads 64 partitions, with other work in between. The clock waits for less.
        await rest(1_000);
        const now = await service.webhookActions.get(action.id);
        if (now.status !== "running") return now;
      }
      throw new Error(`the action never ends: ${String(world.errors.at(-1))}`);
    },
    sentTo() {
      const counts = new Map<string, number>();
      for (const { targetUrl, body } of transport.sent.slice(sentBefore)) {
        const { data }: { readonly data: { readonly id: string } } = JSON.parse(body);
        const sent = `${targetUrl} ${data.id}`;
        counts.set(sent, (counts.get(sent) ?? 0) + 1);
      }
      return counts;
    },
    statuses,
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

it("webhooks that an outage has switched off are on again, and get what they missed once", async () => {
  await using opened = await openOutage(8);
  const { service, urls, world } = opened;
  const filter = { ...switchedOff, status_changed_since: opened.since };
  expect(new Set(await opened.statuses())).toEqual(new Set(["switched_off"]));
  const input = { action: "turn-on", filter, recover: true };
  expect(await service.webhookActions.preview(input)).toEqual({ found: 24 });
  expect(new Set(await opened.statuses())).toEqual(new Set(["switched_off"]));

  const action = await service.webhookActions.start(input);
  expect(action).toMatchObject({ status: "running", found: 24, changed: 0, finished_at: null });
  expect(await opened.end(action)).toMatchObject({
    status: "finished",
    found: 24,
    changed: 24,
    skipped: 0,
    recoveries: 24,
    finished_at: expect.any(String),
  });
  expect(new Set(await opened.statuses())).toEqual(new Set(["active"]));
  await world.clock.advance(10_000);
  const sent = opened.sentTo();
  for (const url of urls) expect(sent.get(`${url} ord_missed`)).toBe(1);
  expect(new Set(sent.values())).toEqual(new Set([1]));
  expect(await service.webhookActions.preview(input)).toEqual({ found: 0 });
  expect(world.errors).toEqual([]);
});

it("without `recover` nothing is sent again", async () => {
  await using opened = await openOutage(1);
  const action = await opened.service.webhookActions.start({ action: "turn-on", filter: switchedOff });
  expect(await opened.end(action)).toMatchObject({ changed: 3, recoveries: 0 });
  await opened.world.clock.advance(10_000);
  expect([...opened.sentTo().keys()]).toEqual([]);
});

it("another process continues an action, and nothing is done twice", async () => {
  await using opened = await openOutage(8);
  const { service, world } = opened;
  await opened.recoverer.close();
  await opened.worker.close();
  const action = await service.webhookActions.start({
    action: "turn-on",
    filter: switchedOff,
    recover: true,
  });
  for (const id of ["worker_2", "worker_3"]) {
    const { worker, recoverer } = opened.open(id);
    await worker.start();
    await world.clock.advance(20_000);
    recoverer.start();
    if (id === "worker_2") {
      const changed = async () => (await service.webhookActions.get(action.id)).changed;
      while ((await changed()) === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    } else {
      expect(await opened.end(action)).toMatchObject({ status: "finished", changed: 24, recoveries: 24 });
      await world.clock.advance(10_000);
    }
    await recoverer.close();
    await worker.close();
    if (id === "worker_2") expect((await service.webhookActions.get(action.id)).status).toBe("running");
  }
  const times = [...opened.sentTo()]
    .filter(([sent]) => sent.endsWith("ord_missed"))
    .map(([, count]) => count);
  expect(times).toEqual(Array.from({ length: 24 }, () => 1));
});

it("a crash between a change and its count turns nothing on twice", async () => {
  const crash = { isDue: true };
  await using opened = await openOutage(10, {
    wrapStore: (inner: Store): Store => ({
      ...inner,
      async commit(name: string, commit: Commit) {
        const isCount = commit.mutations.some(
          (each) =>
            each.type === "set" && each.key[1] === "webhook-action" && !each.value.includes('"changed":0'),
        );
        if (isCount && crash.isDue) {
          crash.isDue = false;
          throw new Error("the process ends here");
        }
        return inner.commit(name, commit);
      },
    }),
  });
  const { service, world } = opened;
  const action = await service.webhookActions.start({
    action: "turn-on",
    filter: switchedOff,
    recover: true,
  });
  // The counters lack the twenty webhooks of the step.
  expect(await opened.end(action)).toMatchObject({ status: "finished", found: 30, changed: 10 });
  await world.clock.advance(10_000);
  expect(new Set(await opened.statuses())).toEqual(new Set(["active"]));
  const { rows } = await service.audit.list({ action: "webhook.turned_on" }, { limit: 100 });
  expect(new Set(rows.map(({ target }) => target.id)).size).toBe(rows.length);
  expect(rows).toHaveLength(30);
  expect(new Set(opened.sentTo().values())).toEqual(new Set([1]));
});

it("a stopped action changes no more webhooks", async () => {
  await using opened = await openOutage(10);
  const { webhookActions } = opened.service;
  await opened.recoverer.close();
  const action = await webhookActions.start({ action: "turn-on", filter: switchedOff });
  expect(await webhookActions.stop(action.id)).toMatchObject({ status: "stopped", found: 30, changed: 0 });
  const { recoverer } = opened.open("worker_1");
  recoverer.start();
  await opened.world.clock.advance(2_000);
  expect(new Set(await opened.statuses())).toEqual(new Set(["switched_off"]));
  await expect(webhookActions.stop(action.id)).rejects.toMatchObject({ code: "invalid_state" });
  await recoverer.close();
});

/** Two accounts with webhooks of several hosts and states, at two times. */
async function openStates(): Promise<{ readonly service: Service; readonly ids: Record<string, string> }> {
  let time = Date.UTC(2026, 10, 20, 2);
  const { service } = openService({ now: () => time });
  const ids: Record<string, string> = {};
  const add = async (accountId: string, name: string, target_url: string): Promise<void> => {
    const { webhook } = await service.webhooks.create(
      { accountId, credential },
      { event: "order.created", target_url },
    );
    ids[name] = webhook.id;
  };
  for (const accountId of ["acc_1", "acc_2"])
    await service.accounts.put(accountId, { email: `${accountId}@example.com` });
  await add("acc_1", "active", "https://a.example.com/1");
  await add("acc_1", "early", "https://b.example.com/2");
  await add("acc_2", "late", "https://A.example.com:8443/3");
  await add("acc_2", "disabled", "https://c.example.com/4");
  await service.webhooks.pause("acc_1", ids["early"] ?? "");
  time += 3_600_000;
  await service.webhooks.pause("acc_2", ids["late"] ?? "");
  await service.webhooks.disable("acc_2", ids["disabled"] ?? "", { reason: "abuse" });
  time += 1_000;
  return { service, ids };
}

it.each([
  ["resume", { status: "paused" }, 2],
  ["resume", { account_ids: ["acc_1", "acc_9"] }, 1],
  ["resume", { status_changed_since: "2026-11-20T02:00:01Z" }, 1],
  ["resume", { status_changed_since: "2026-11-20T02:00:00Z" }, 2],
  ["resume", { status_changed_until: "2026-11-20T03:00:00Z" }, 1],
  ["resume", { target_host: "a.EXAMPLE.com" }, 1],
  ["resume", { target_host: "a.example.com:8443" }, 1],
  ["resume", { target_host: "example.com" }, 0],
  ["resume", { status: "active" }, 0],
  ["enable", { status: "disabled_by_host", account_ids: null }, 1],
  ["enable", { account_ids: ["acc_1"] }, 0],
  ["pause", { account_ids: ["acc_1", "acc_2"] }, 1],
  ["turn-on", { status_changed_since: "2026-11-20T00:00:00Z" }, 0],
])("%s of %j finds %i", async (action, filter, found) => {
  const { service } = await openStates();
  expect(await service.webhookActions.preview({ action, filter })).toEqual({ found });
});

it.each([
  ["no condition", { action: "resume", filter: {} }, "filter: needs at least one condition"],
  [
    "an empty list",
    { action: "resume", filter: { account_ids: [] } },
    "filter: needs at least one condition",
  ],
  ["no filter", { action: "resume" }, "filter"],
  ["an unknown action", { action: "delete", filter: { status: "paused" } }, "action: must be turn-on"],
  ["an unknown status", { action: "resume", filter: { status: "off" } }, "filter.status: must be active"],
  ["a wrong time", { action: "resume", filter: { status_changed_since: "02:00" } }, "status_changed_since"],
  ["no reason", { action: "disable", filter: { status: "active" } }, "reason: is needed"],
  [
    "a recovery of a pause",
    { action: "pause", filter: { status: "active" }, recover: true },
    "recover: is only",
  ],
])("an action with %s is refused", async (_, input, message) => {
  const { service } = openService();
  const refused = { code: "validation_failed", message: expect.stringContaining(message) };
  await expect(service.webhookActions.start(input)).rejects.toMatchObject(refused);
  await expect(service.webhookActions.preview(input)).rejects.toMatchObject(refused);
});
