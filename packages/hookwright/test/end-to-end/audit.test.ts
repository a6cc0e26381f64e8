import type { AuditEntry, Logger } from "../../src/index.ts";
import { describe, expect, it } from "vitest";
import { useQuickScrypt } from "../../../service/test/support/quick-scrypt.ts";
import { openWorld } from "./support/open-world.ts";
import type { World } from "./support/open-world.ts";
import { storages } from "./support/storages.ts";

useQuickScrypt();
const password = "correct horse battery";
const tokens = "support:read+manage:s3cret,sync:publish+manage:t0ken";

interface AuditPage {
  readonly rows: readonly AuditEntry[];
  readonly meta: { readonly next_cursor: string | null };
  readonly status: number;
  readonly error: { readonly code: string } | undefined;
}

async function readAudit(world: World, target: string, token = "s3cret"): Promise<AuditPage> {
  const { text, status, error } = await world.ask(target, { token });
  const { data = [], meta = { next_cursor: null } } = JSON.parse(text);
  return { rows: data, meta, status, error };
}

function show({ action, actor, target, changed }: AuditEntry): string {
  return [
    action,
    [actor.kind, actor.id, actor.name].filter((part) => part !== null).join(":"),
    target.kind,
    ...changed,
  ].join(" ");
}

async function openLink(world: World): Promise<string> {
  const link = await world.ask("POST /host/v1/accounts/acc_1/console-sessions", { token: "s3cret" });
  const { url } = JSON.parse(link.text).data;
  const code = url.slice(url.lastIndexOf("/") + 1);
  const session = await world.ask("POST /console/api/session/link", { token: null, json: { code } });
  return JSON.parse(session.text).data.token;
}

describe.each(storages)("on $name, the audit log", (storage) => {
  it("names who changed what: host tokens, the owner, a link, an API key and the program", async () => {
    await using world = await openWorld(storage, { hostToken: tokens });
    const { hookwright, ask } = world;
    const sync = { token: "t0ken" };
    await ask("PUT /host/v1/accounts/acc_1", { ...sync, json: { password, limits: { webhooks: 5 } } });
    // A host repeats such requests. Nothing changes, so nothing is logged.
    await ask("PUT /host/v1/accounts/acc_1", { ...sync, json: { name: "One" } });
    await ask("PUT /host/v1/suppressions/ada@example.com", { ...sync, json: { reason: "bounced" } });
    const hook = await world.subscribe("order.created");
    const owner = await hookwright.sessions.create({ email: "one@example.com", password });
    await ask(`POST /console/api/webhooks/${hook.id}/pause`, { token: owner.token });
    const json = { name: "Orders", headers: { authorization: "Bearer hush" } };
    await ask(`PATCH /console/api/webhooks/${hook.id}`, { token: await openLink(world), json });
    await hookwright.webhooks.resume("acc_1", hook.id);
    const refused = await ask(`POST /console/api/webhooks/${hook.id}/resume`, { token: owner.token });
    expect(refused.status).toBe(409);

    const { rows } = await readAudit(world, "GET /host/v1/audit");
    expect(rows.slice(0, -4).map(show)).toEqual([
      "webhook.resumed program webhook status",
      "webhook.updated link:support webhook name headers",
      "sign_in.succeeded link:support account",
      "console_link.created host:support account read_only",
      "webhook.paused owner webhook status",
      "sign_in.succeeded owner account",
      expect.stringMatching(/^webhook\.created api_key:key_\w+:test webhook events target_url/u),
      "suppression.created host:sync suppression",
      "account.updated host:sync account limits password",
    ]);
    expect(rows.slice(-4).map(show)).toEqual([
      "api_key.created program api_key rights",
      "project.created program project",
      "project.created program project",
      "account.created program account",
    ]);
    expect(rows[4]).toMatchObject({
      id: expect.stringMatching(/^aud_/u),
      account_id: "acc_1",
      target: { kind: "webhook", id: hook.id },
      request_id: expect.stringMatching(/^req_/u),
    });
    expect(rows.map(({ changes }) => changes).filter(({ length }) => length > 0)).toEqual([
      [{ field: "status", old: "paused", new: "active" }],
      [{ field: "name", old: null, new: "Orders" }],
      [{ field: "read_only", old: null, new: "false" }],
      [{ field: "status", old: "active", new: "paused" }],
      [
        { field: "events", old: null, new: "order.created" },
        { field: "target_url", old: null, new: expect.stringMatching(/^http/u) },
      ],
      [{ field: "limits.webhooks", old: null, new: "5" }],
      [{ field: "rights", old: null, new: "read, webhooks, write" }],
    ]);
    const text = JSON.stringify(rows);
    for (const secret of [hook.secret, owner.token, password, "hush", "s3cret", "@example.com", world.key])
      expect(text).not.toContain(secret);
  });

  it("is filtered by account, action, actor and time, and paged; an owner sees the own account", async () => {
    await using world = await openWorld(storage, { hostToken: tokens });
    const { hookwright } = world;
    await hookwright.accounts.put("acc_2", { email: "two@example.com", password });
    const since = new Date(Date.now() + 3_600_000).toISOString();
    world.advance(3_600_000);
    for (const status of ["suspended", "active"])
      await world.ask("PUT /host/v1/accounts/acc_2", { token: "t0ken", json: { status } });
    const actions = async (query: string) =>
      (await readAudit(world, `GET /host/v1/audit${query}`)).rows.map(({ action }) => action);
    expect(await actions("?account_id=acc_2")).toEqual([
      "account.updated",
      "account.updated",
      "account.created",
    ]);
    expect(await actions("?account_id=acc_2&actor=sync")).toHaveLength(2);
    expect(await actions("?action=project.created")).toHaveLength(2);
    expect(await actions(`?since=${since}`)).toHaveLength(2);
    expect(await actions(`?until=${since}&actor=host`)).toEqual([]);
    expect(await actions("?account_id=acc_9")).toEqual([]);

    const all = await actions("");
    const paged: string[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page = await readAudit(world, `GET /host/v1/audit?limit=3&cursor=${cursor}`);
      paged.push(...page.rows.map(({ action }) => action));
      cursor = page.meta.next_cursor;
      const other = await readAudit(world, `GET /host/v1/audit?actor=host&cursor=${cursor ?? "x"}`);
      expect(other.error?.code).toBe("invalid_cursor");
    }
    expect(paged).toEqual(all);

    const { token } = await hookwright.sessions.create({ email: "two@example.com", password });
    const own = await readAudit(world, "GET /console/api/audit", token);
    expect(own.rows.map(({ account_id, action }) => [account_id, action])).toEqual([
      ["acc_2", "sign_in.succeeded"],
      ["acc_2", "account.updated"],
      ["acc_2", "account.updated"],
      ["acc_2", "account.created"],
    ]);
    for (const [target, code] of [
      ["GET /host/v1/audit?action=nothing", "validation_failed"],
      ["GET /host/v1/audit?since=yesterday", "validation_failed"],
      ["GET /console/api/audit?limit=0", "validation_failed"],
    ] as const)
      expect(
        (await readAudit(world, target, target.includes("console") ? token : "s3cret")).error?.code,
      ).toBe(code);
    expect((await readAudit(world, "GET /host/v1/audit", "t0ken")).error?.code).toBe("forbidden");
  });
});

it("the audit log ends after the retention time", async () => {
  const [storage] = storages;
  if (storage === undefined) throw new Error("there is a storage");
  await using world = await openWorld(storage, { auditRetentionDays: 1 });
  world.advance(23 * 3_600_000);
  const { hookwright } = world;
  await hookwright.accounts.put("acc_1", { name: "Two" });
  expect((await hookwright.audit.list({})).rows).toHaveLength(5);
  world.advance(2 * 3_600_000);
  expect((await hookwright.audit.list({})).rows.map(({ changed }) => changed)).toEqual([["name"]]);
});

it("each entry of the audit log has one log line", async () => {
  const [storage] = storages;
  if (storage === undefined) throw new Error("there is a storage");
  const lines: unknown[] = [];
  const logger: Logger = { info: (_, fields) => void lines.push(fields), warn() {}, error() {} };
  await using world = await openWorld(storage, { logger, hostToken: tokens });
  lines.length = 0;
  const json = { name: "Two" };
  const { headers } = await world.ask("PUT /host/v1/accounts/acc_1", { token: "t0ken", json });
  expect(lines).toEqual([
    {
      code: "change_audited",
      component: "audit",
      audit_id: expect.stringMatching(/^aud_/u),
      action: "account.updated",
      actor: "host",
      actor_name: "sync",
      account_id: "acc_1",
      target: "account",
      target_id: "acc_1",
      changed: ["name"],
      request_id: headers.get("x-request-id"),
    },
  ]);
});
