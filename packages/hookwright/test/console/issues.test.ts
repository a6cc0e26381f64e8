import { expect, it } from "vitest";
import { memoryStore } from "@hookwright/storage/memory";
import { openConsole } from "../support/open-console.ts";
import { openLinkedSession } from "../support/open-session.ts";

const hourMs = 3_600_000;

async function openFailing() {
  let now = Date.UTC(2026, 10, 20, 9, 30);
  const store = memoryStore({ now: () => now });
  const world = await openConsole({
    store,
    now: () => now,
    retryDelaysSeconds: [],
    endpointBackoffSeconds: 0,
  });
  const send = async (token: string | undefined, target: string, json?: unknown) => {
    const [method = "", path = ""] = target.split(" ");
    const response = await world.hookwright.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      }),
    );
    const { data, error } = JSON.parse(await response.text());
    const rows: readonly Readonly<Record<string, unknown>>[] = Array.isArray(data) ? data : [];
    return { status: response.status, data: data ?? {}, rows, code: error?.code, message: error?.message };
  };
  /** Each call has a session of its own, because a session ends while time passes. */
  const ask = async (target: string, json?: unknown) =>
    send((await openLinkedSession(world.hookwright, world.account)).token, target, json);
  const webhook = await world.createWebhook("/shop");
  const publish = async (...records: string[]) => {
    for (const record of records) {
      await world.publish(record);
      await world.settled();
    }
  };
  const issues = async (query = "") => (await ask(`GET /console/api/issues?${query}`)).rows;
  const attention = async () => {
    const { data } = await ask("GET /console/api/overview?period=1h");
    return data.attention;
  };
  const pass = (ms: number): void => void (now += ms);
  return Object.assign(world, { ask, send, webhook, publishAll: publish, issues, attention, pass });
}

it("an issue is acknowledged, ignored and opened, and the activity names who did it", async () => {
  await using world = await openFailing();
  const { ask, webhook, issues } = world;
  world.answerWith(500);
  await world.publishAll("rev_1", "rev_2");
  world.answerWith(404);
  await world.publishAll("rev_3");
  const [gone, broken] = await issues();
  expect([gone, broken]).toMatchObject([
    { http_status: 404, deliveries: 1, status: "open", webhook_id: webhook.id, response: null },
    { http_status: 500, deliveries: 2, attempts: 2, error: "status" },
  ]);
  const path = `/console/api/issues/${broken?.["id"]}`;
  expect((await ask(`PATCH ${path}`, { status: "acknowledged" })).data).toMatchObject({
    status: "acknowledged",
  });
  expect(await issues("status=open")).toMatchObject([{ id: gone?.["id"] }]);
  expect(await issues()).toHaveLength(2);
  await ask(`PATCH ${path}`, { status: "ignored" });
  expect(await issues()).toHaveLength(1);
  expect(await issues("status=ignored")).toMatchObject([{ http_status: 500 }]);
  await ask(`PATCH ${path}`, { status: "open" });
  // Nothing changes, so nothing is logged.
  await ask(`PATCH ${path}`, { status: "open" });
  expect(await issues(`webhook_id=${webhook.id}`)).toHaveLength(2);
  const { rows } = await ask("GET /console/api/audit");
  const marks = rows.filter(({ action }) => String(action).startsWith("issue."));
  expect(marks.map(({ action }) => action)).toEqual([
    "issue.reopened",
    "issue.ignored",
    "issue.acknowledged",
  ]);
  expect(marks[0]).toMatchObject({ actor: { kind: "link" }, target: { kind: "webhook", id: webhook.id } });
  expect(await ask("PATCH /console/api/issues/iss_unknown", { status: "open" })).toMatchObject({
    status: 404,
  });
  expect(await ask(`PATCH ${path}`, { status: "fixed" })).toMatchObject({
    code: "validation_failed",
    message: "status: must be open, acknowledged or ignored",
  });
});

it("a key lists, marks and sends again the issues of the webhooks that it created, and no others", async () => {
  await using world = await openFailing();
  const { send, hookwright } = world;
  const { api_key: key } = await hookwright.apiKeys.create(world.account, { name: "own" });
  const created = await send(key, "POST /developer/v1/webhooks", {
    event: "review.submitted",
    target_url: `${world.origin}/own`,
  });
  world.answerWith(500);
  await world.publishAll("rev_1");
  const all = await world.issues();
  expect(all).toHaveLength(2);
  const other = all.find(({ webhook_id: id }) => id === world.webhook.id)?.["id"];
  const { data: own } = await send(key, "GET /developer/v1/issues");
  expect(own).toMatchObject([{ webhook_id: created.data.id, deliveries: 1, status: "open" }]);
  const [{ id }] = own;
  const path = "PATCH /developer/v1/issues";
  expect(await send(key, `${path}/${id}`, { status: "ignored" })).toMatchObject({
    status: 200,
    data: { id, status: "ignored" },
  });
  expect((await send(key, "GET /developer/v1/issues")).data).toEqual([]);
  expect(await send(key, `${path}/${other}`, { status: "ignored" })).toMatchObject({
    status: 404,
    code: "resource_not_found",
  });
  world.pass(1_000);
  const resend = (issue: unknown) =>
    send(key, "POST /developer/v1/resends", { filter: { statuses: ["failed"], issue }, dry_run: true });
  expect(await resend(id)).toMatchObject({ data: { found: 1, skipped: 0 } });
  expect(await resend(other)).toMatchObject({ code: "validation_failed" });
});

it("lists and counts of deliveries by an issue have exactly its deliveries", async () => {
  await using world = await openFailing();
  const { ask, issues } = world;
  world.answerWith(500);
  await world.publishAll("rev_1", "rev_2");
  world.answerWith(404);
  await world.publishAll("rev_3");
  const [, broken] = await issues();
  const { rows } = await ask(`GET /console/api/deliveries?issue=${broken?.["id"]}`);
  expect(rows.map(({ record_id }) => record_id)).toEqual(["rev_2", "rev_1"]);
  const counts = await ask(`GET /console/api/deliveries/counts?issue=${broken?.["id"]}`);
  expect(counts.data).toMatchObject({ all: 2, failed: 2 });
  expect((await ask("GET /console/api/deliveries?issue=iss_unknown")).rows).toEqual([]);
});

it("an acknowledged failure raises no alert until it comes again after a day without it", async () => {
  await using world = await openFailing();
  world.answerWith(500);
  const records = Array.from({ length: 6 }, (_, number) => `rev_${number}`);
  await world.publishAll(...records);
  expect(await world.attention()).toMatchObject([
    { kind: "webhook_failing", is_known: false, last_answer: { http_status: 500 } },
  ]);
  const [issue] = await world.issues();
  await world.ask(`PATCH /console/api/issues/${issue?.["id"]}`, { status: "acknowledged" });
  expect(await world.attention()).toMatchObject([{ is_known: true }]);
  world.pass(25 * hourMs);
  await world.publishAll("rev_later");
  expect(await world.attention()).toMatchObject([{ is_known: false }]);
  expect(await world.issues()).toMatchObject([{ status: "open", deliveries: 7 }]);
});

it("an alert of a webhook that answered 410 lasts a day, and can be snoozed", async () => {
  await using world = await openFailing();
  world.answerWith(410);
  await world.publishAll("rev_1");
  const alert = { kind: "webhook_gone", webhook_id: world.webhook.id };
  expect(await world.attention()).toMatchObject([
    { ...alert, last_answer: { http_status: 410 }, snoozed_until: null },
  ]);
  const { data } = await world.ask("POST /console/api/snoozes", { ...alert, hours: 1 });
  expect(await world.attention()).toMatchObject([{ ...alert, snoozed_until: data["snoozed_until"] }]);
  world.pass(24 * hourMs);
  expect(await world.attention()).toEqual([]);
});

it("a snoozed alert comes back afterwards, or when it is brought back", async () => {
  await using world = await openFailing();
  const { ask, webhook } = world;
  await ask(`POST ${webhook.path}/pause`);
  const snooze = { kind: "webhook_paused", webhook_id: webhook.id };
  const { data } = await ask("POST /console/api/snoozes", { ...snooze, hours: 1 });
  expect(await world.attention()).toMatchObject([{ ...snooze, snoozed_until: data["snoozed_until"] }]);
  world.pass(hourMs);
  expect(await world.attention()).toMatchObject([{ ...snooze, snoozed_until: null }]);
  await ask("POST /console/api/snoozes", { ...snooze, hours: 168 });
  await ask("POST /console/api/snoozes", { ...snooze, hours: 0 });
  expect(await world.attention()).toMatchObject([{ ...snooze, snoozed_until: null }]);
  expect(await ask("POST /console/api/snoozes", { ...snooze, hours: 169 })).toMatchObject({
    message: "hours: must be a whole number from 0 to 168",
  });
  expect(await ask("POST /console/api/snoozes", { ...snooze, webhook_id: "wh_1", hours: 1 })).toMatchObject({
    status: 404,
  });
});
