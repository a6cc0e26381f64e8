import { describe, expect, it } from "vitest";
import type { HookwrightOptions } from "../../src/options/options.ts";
import { openConsole } from "../support/open-console.ts";
import type { Answered, World } from "../support/open-console.ts";

const hostToken = "support:manage+read:a token of the host";
const reason = "This URL belongs to somebody else.";

async function open(options: Partial<HookwrightOptions> = {}) {
  const world = await openConsole({ hostToken, ...options });
  return { world, host: openHost(world), [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

function openHost({ hookwright }: World) {
  return async (target: string, json?: unknown) => {
    const [method = "GET", path = "/"] = target.split(" ", 2);
    const response = await hookwright.fetch(
      new Request(`http://localhost/host/v1/${path}`, {
        method,
        headers: { authorization: "Bearer a token of the host", "content-type": "application/json" },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      }),
    );
    const { data, error } = JSON.parse(await response.text());
    return { status: response.status, data, rows: Array.isArray(data) ? data : [], error };
  };
}

async function subscribe(world: World, more: object = {}): Promise<Answered> {
  return world.ask("POST /console/api/webhooks", {
    event: "review.submitted",
    target_url: `${world.origin}/hooks`,
    ...more,
  });
}

async function openDisabled() {
  const opened = await open();
  const { id } = await opened.world.createWebhook();
  const disabled = await opened.host(`POST webhooks/${id}/disable`, { reason });
  return { ...opened, id, disabled };
}

describe("a webhook that the operator disables", () => {
  it("shows the owner the reason, and is switched off for programs", async () => {
    await using opened = await openDisabled();
    const { world, host, id, disabled } = opened;
    const expected = { id, status: "disabled_by_host", status_reason: "host", status_detail: reason };
    expect([disabled.status, disabled.data]).toMatchObject([200, expected]);
    expect((await world.ask(`GET /console/api/webhooks/${id}`)).data).toMatchObject(expected);
    const { rows } = await world.hookwright.webhooks.list("acc_1");
    expect(rows).toMatchObject([{ id, status: "switched_off" }]);
    expect((await host("GET webhooks?status=disabled_by_host")).rows).toMatchObject([{ id }]);
    expect((await host("GET stats")).data.webhooks).toEqual({
      active: 0,
      paused: 0,
      switched_off: 0,
      disabled_by_host: 1,
    });
  });

  it("sends nothing, and counts what it misses", async () => {
    await using opened = await openDisabled();
    const { world, id } = opened;
    expect(await world.publish("rev_1")).toEqual([]);
    expect((await world.ask(`GET /console/api/webhooks/${id}`)).data).toMatchObject({ missed: 1 });
    expect(world.received).toEqual([]);
  });

  it.each(["resume", "turn-on", "pause", "test"])("refuses its owner to %s it", async (action) => {
    await using opened = await openDisabled();
    const { world, id } = opened;
    const refused = await world.ask(`POST /console/api/webhooks/${id}/${action}`);
    expect([refused.status, refused.code]).toEqual([409, "invalid_state"]);
    expect(refused.message).toContain(reason);
  });

  it("cannot be made again, whether or not it was removed, for no event and under no spelling of its URL", async () => {
    await using opened = await openDisabled();
    const { world, id } = opened;
    // The existing one is returned, unchanged.
    expect(await subscribe(world)).toMatchObject({ status: 200, data: { id, status: "disabled_by_host" } });
    const other = { event: "order.created" };
    expect(await subscribe(world, other)).toMatchObject({ status: 409, code: "invalid_state" });
    await world.ask(`DELETE /console/api/webhooks/${id}`);
    const url = `${world.origin.replace("http", "HTTP")}/hooks#again`;
    for (const more of [{}, other, { target_url: url }]) {
      const refused = await subscribe(world, more);
      expect([refused.status, refused.code]).toEqual([409, "invalid_state"]);
      expect(refused.message).toContain(reason);
    }
    const caller = { accountId: "acc_1", credential: { type: "console" } } as const;
    const input = { event: "order.created", target_url: `${world.origin}/hooks` };
    // The public API has no code for a state.
    await expect(world.hookwright.webhooks.create(caller, input)).rejects.toMatchObject({
      code: "invalid_target_url",
      message: expect.stringContaining(reason),
    });
    const elsewhere = await subscribe(world, { target_url: `${world.origin}/other` });
    expect(elsewhere.status).toBe(201);
    const moved = await world.ask(`PATCH /console/api/webhooks/${elsewhere.data["id"]}`, {
      target_url: `${world.origin}/hooks`,
    });
    expect([moved.status, moved.code]).toEqual([409, "invalid_state"]);
  });

  it("cannot be replaced by another webhook with its URL, which was there before", async () => {
    await using opened = await open();
    const { world, host } = opened;
    const { id } = await world.createWebhook();
    const { data: other } = await subscribe(world, { event: "order.created", project_id: "site_1" });
    const { data: paused } = await subscribe(world, { event: undefined, events: ["*"], paused: true });
    await host(`POST webhooks/${id}/disable`, { reason });
    for (const [target, body] of [
      [`PATCH /console/api/webhooks/${other["id"]}`, { events: ["order.created", "review.submitted"] }],
      [`PATCH /console/api/webhooks/${other["id"]}`, { project_id: null }],
      [`POST /console/api/webhooks/${paused["id"]}/resume`, undefined],
      [`POST /console/api/resends`, { filter: { webhook_ids: [paused["id"]] }, turn_on: true }],
    ] as const) {
      const refused = await world.ask(target, body);
      expect([target, refused.status, refused.code]).toEqual([target, 409, "invalid_state"]);
      expect(refused.message).toContain(reason);
    }
    expect(await world.publish("rev_1")).toEqual([]);
    const renamed = await world.ask(`PATCH /console/api/webhooks/${other["id"]}`, { name: "Orders" });
    expect(renamed.data).toMatchObject({ name: "Orders", status: "active" });
    await host(`POST webhooks/${id}/enable`);
    expect((await world.ask(`POST /console/api/webhooks/${paused["id"]}/resume`)).status).toBe(200);
  });

  it("stays refused if its URL is changed", async () => {
    await using opened = await openDisabled();
    const { world, id } = opened;
    const changed = await world.ask(`PATCH /console/api/webhooks/${id}`, {
      target_url: `${world.origin}/other`,
    });
    expect(changed.data).toMatchObject({ status: "disabled_by_host" });
    expect(await subscribe(world)).toMatchObject({ status: 409, code: "invalid_state" });
  });

  it("can be tested by the operator, and is active again when enabled", async () => {
    await using opened = await openDisabled();
    const { world, host, id } = opened;
    expect((await host(`POST webhooks/${id}/test`)).data).toMatchObject({ status: 204, error: null });
    expect((await host(`POST webhooks/${id}/turn-on`)).error.code).toBe("invalid_state");
    expect((await host(`POST webhooks/${id}/enable`)).data).toMatchObject({
      status: "active",
      status_reason: null,
      status_detail: null,
    });
    expect(await world.publish("rev_1")).toHaveLength(1);
    expect((await host(`POST webhooks/${id}/enable`)).error.code).toBe("invalid_state");
    const unknown = await host("POST webhooks/wh_unknown/enable");
    expect([unknown.status, unknown.error.message]).toEqual([404, "No such webhook on this server."]);
    // The URL is free again.
    expect((await subscribe(world, { event: "order.created" })).status).toBe(201);
  });

  it("was paused before: it is paused again when enabled, since the same time", async () => {
    await using opened = await open();
    const { world, host } = opened;
    const { id } = await world.createWebhook();
    const { data: paused } = await host(`POST webhooks/${id}/pause`);
    await world.publish("rev_1");
    await host(`POST webhooks/${id}/disable`, { reason });
    expect((await host(`POST webhooks/${id}/enable`)).data).toMatchObject({
      status: "paused",
      status_changed_at: paused.status_changed_at,
      missed: 1,
    });
    expect((await host(`POST webhooks/${id}/resume`)).data).toMatchObject({ status: "active" });
  });

  it("was removed: enabling it allows its URL again", async () => {
    await using opened = await openDisabled();
    const { world, host, id } = opened;
    await world.ask(`DELETE /console/api/webhooks/${id}`);
    expect((await world.ask(`GET /console/api/webhooks/${id}`)).data).toMatchObject({
      status: "removed",
      status_detail: reason,
    });
    expect((await host(`GET search?q=${id}`)).data.webhooks).toMatchObject([
      { id, account_id: "acc_1", status: "removed", status_detail: reason, waiting: 0, matched: "id" },
    ]);
    const enabled = await host(`POST webhooks/${id}/enable`);
    expect([enabled.status, enabled.data]).toMatchObject([200, { status: "removed", status_detail: null }]);
    expect((await host(`GET search?q=${id}`)).data.webhooks).toEqual([]);
    expect((await subscribe(world)).status).toBe(201);
  });
});

it("each change of the operator is in the audit log of the account, with the name of the token", async () => {
  await using opened = await open();
  const { world, host } = opened;
  const { id } = await world.createWebhook();
  for (const action of ["pause", "resume", "disable", "enable", "test"])
    await host(`POST webhooks/${id}/${action}`, action === "disable" ? { reason } : undefined);
  const { rows } = await host(`GET audit?account_id=acc_1&actor=support`);
  expect(rows.map(({ action }) => action)).toEqual([
    "webhook.tested",
    "webhook.enabled",
    "webhook.disabled",
    "webhook.resumed",
    "webhook.paused",
  ]);
  expect(rows[0]).toMatchObject({ actor: { kind: "host", name: "support" }, target: { id } });
});

it("the operator sees how many deliveries wait for each webhook, and finds the one with most", async () => {
  // No worker delivers.
  await using opened = await open({ role: "api" });
  const { world, host } = opened;
  const { id: few } = await world.createWebhook("/few", { project_id: "site_1" });
  const { id: most } = await world.createWebhook("/most");
  const { id: none } = await world.createWebhook("/none", { event: "order.created" });
  for (const [review, site] of [
    ["rev_1", "site_1"],
    ["rev_2", "site_2"],
    ["rev_3", "site_2"],
  ])
    await world.publish(review ?? "", site);
  const shown = async (query: string) =>
    (await host(`GET webhooks${query}`)).rows.map(({ id, waiting, oldest_due_at }) => [
      id,
      waiting,
      typeof oldest_due_at,
    ]);
  const sorted = [
    [most, 3, "string"],
    [few, 1, "string"],
  ];
  expect(await shown("?sort=waiting")).toEqual(sorted);
  expect(await shown("?sort=waiting&status=active")).toEqual(sorted);
  expect(await shown("?sort=waiting&limit=1")).toEqual(sorted.slice(0, 1));
  expect(await shown("?sort=waiting&status=paused")).toEqual([]);
  expect(new Map((await shown("")).map(([id, waiting]) => [id, waiting]))).toEqual(
    new Map([
      [most, 3],
      [few, 1],
      [none, 0],
    ]),
  );
  expect(await host("GET webhooks?sort=name")).toMatchObject({
    status: 422,
    error: { message: expect.stringContaining("sort: must be waiting") },
  });
  await expect(world.hookwright.webhooks.listAll({ sort: "name" })).rejects.toMatchObject({
    code: "validation_failed",
  });
});

it("the operator must give a reason, and name a webhook that exists", async () => {
  await using opened = await open();
  const { world, host } = opened;
  const { id } = await world.createWebhook();
  for (const body of [{}, { reason: " " }, { reason: "x".repeat(501) }])
    expect(await host(`POST webhooks/${id}/disable`, body)).toMatchObject({
      status: 422,
      error: { code: "validation_failed" },
    });
  for (const action of ["disable", "enable", "pause", "resume", "turn-on", "test"])
    expect(await host(`POST webhooks/wh_none/${action}`, { reason })).toMatchObject({
      status: 404,
      error: { code: "resource_not_found" },
    });
});

describe("an action on many webhooks", () => {
  it("is counted first, then runs in the background, and names who started it", async () => {
    await using opened = await open();
    const { world, host } = opened;
    const { id } = await world.createWebhook();
    await host(`POST webhooks/${id}/pause`);
    await world.publish("rev_1");
    const body = { action: "resume", filter: { status: "paused", account_ids: ["acc_1"] }, recover: true };
    expect(await host("POST webhooks/actions", { ...body, dry_run: true })).toMatchObject({
      status: 200,
      data: { found: 1 },
    });
    const started = await host("POST webhooks/actions", body);
    expect([started.status, started.data]).toMatchObject([201, { found: 1, status: "running" }]);
    const read = async () => (await host(`GET webhooks/actions/${started.data.id}`)).data;
    await expect.poll(async () => (await read()).status).toBe("finished");
    expect(await read()).toMatchObject({ changed: 1, skipped: 0, recoveries: 1, reason: null });
    expect((await host("GET webhooks/actions")).rows).toMatchObject([{ id: started.data.id }]);
    await expect.poll(() => world.received.length).toBe(1);
    const { rows } = await host("GET audit?actor=support");
    expect(new Set(rows.map(({ action }) => action))).toEqual(
      new Set(["webhook.paused", "webhook_action.started", "webhook.resumed", "recovery.started"]),
    );
    expect(await host(`POST webhooks/actions/${started.data.id}/stop`)).toMatchObject({
      status: 409,
      error: { code: "invalid_state" },
    });
    expect((await host("GET webhooks/actions/job_none")).error.code).toBe("resource_not_found");
  });

  it("disables all webhooks of a host, and names the reason to each owner", async () => {
    await using opened = await open();
    const { world, host } = opened;
    const { id } = await world.createWebhook();
    const started = await host("POST webhooks/actions", {
      action: "disable",
      filter: { target_host: new URL(world.origin).host },
      reason,
    });
    const status = async () => (await host(`GET webhooks/actions/${started.data.id}`)).data.status;
    await expect.poll(status).toBe("finished");
    expect((await world.ask(`GET /console/api/webhooks/${id}`)).data).toMatchObject({
      status: "disabled_by_host",
      status_detail: reason,
    });
  });
});
