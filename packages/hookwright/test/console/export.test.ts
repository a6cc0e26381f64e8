import { expect, it } from "vitest";
import { openConsole } from "../support/open-console.ts";

/** Reads an export of the console API. */
async function openExports() {
  const world = await openConsole();
  return {
    world,
    read: async (path: string): Promise<string> => {
      const url = `http://localhost/console/api/${path}`;
      const headers = { authorization: `Bearer ${world.session.token}` };
      return (await world.hookwright.fetch(new Request(url, { headers }))).text();
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** The heading and the rows of CSV whose fields have no line breaks. */
function toLines(csv: string): readonly string[] {
  return csv.trimEnd().split("\r\n");
}

it("an export of deliveries has these columns, and neither headers nor secrets", async () => {
  await using exports = await openExports();
  const { world, read } = exports;
  const { secret } = await world.createWebhook("/all", { headers: { "X-Own-Token": "token-of-the-owner" } });
  await world.publish("rev_1");
  await world.settled();
  const [heading, row = "", ...others] = toLines(await read("deliveries/export"));
  expect(heading).toBe(
    "id,created_at,completed_at,status,kind,event,record_id,body_id,project_id,webhook_id,target_url,attempts_made,next_attempt_at,last_status,last_error,last_duration_ms,last_queued_ms,last_dns_ms,last_connect_ms,last_tls_ms,last_wait_ms,last_read_ms,last_result,cancel_reason,resent_from",
  );
  expect(row).toMatch(/^dlv_[0-9a-f]{32},.*,delivered,event,review\.submitted,rev_1,/u);
  expect(others).toEqual([]);
  const json = await read("deliveries/export?format=ndjson");
  expect(JSON.parse(json)).toMatchObject({ record_id: "rev_1", status: "delivered", last_tls_ms: null });
  expect(JSON.parse(json)).toMatchObject({
    last_queued_ms: expect.any(Number),
    last_wait_ms: expect.any(Number),
    last_result: expect.stringMatching(/^(?:Your endpoint|The network) took .+ answered 204\.$/u),
  });
  for (const text of [row, json]) {
    expect(text).not.toContain(secret);
    expect(text).not.toMatch(/token-of-the-owner|x-own-token|signature|authorization/iu);
  }
});

it("an export of webhooks has those of a site, those that are named, or the removed ones", async () => {
  await using exports = await openExports();
  const { world, read } = exports;
  const headers = { "X-Own-Token": "token-of-the-owner" };
  const { id, secret } = await world.createWebhook("/all", { headers, name: "=cmd" });
  const { id: removed } = await world.createWebhook("/removed");
  await world.ask(`DELETE /console/api/webhooks/${removed}`);
  const csv = await read("webhooks/export");
  expect(toLines(csv)).toEqual([
    "id,name,status,status_reason,status_changed_at,events,target_url,project_id,verified,consecutive_failures,last_success_at,last_failure_at,created_at,removed_at",
    expect.stringMatching(new RegExp(`^${id},'=cmd,active,`, "u")),
  ]);
  expect(csv).not.toContain(secret);
  expect(csv).not.toContain("token-of-the-owner");
  const idsOf = async (query: string): Promise<readonly string[]> =>
    toLines(await read(`webhooks/export?${query}`))
      .slice(1)
      .map((line) => line.split(",")[0] ?? "");
  expect(await idsOf("status=removed")).toEqual([removed]);
  expect(await idsOf(`ids=wh_1,${id}`)).toEqual([id]);
  expect(await idsOf("ids=wh_1")).toEqual([]);
  expect(await idsOf("project_id=site_of_nobody")).toEqual([id]);
  const json = await read("webhooks/export?format=ndjson");
  expect(JSON.parse(json)).toMatchObject({ id, name: "=cmd", headers: ["X-Own-Token"] });
  expect(
    await read(`webhooks/export?ids=${Array.from({ length: 101 }, (_, index) => index).join(",")}`),
  ).toContain("ids: must name at most 100 webhooks");
});

it("an export of keys has no key", async () => {
  await using exports = await openExports();
  const { world, read } = exports;
  const { api_key: key } = await world.hookwright.apiKeys.create(world.account, { name: "Zapier" });
  const csv = await read("keys/export");
  expect(toLines(csv)[0]).toBe(
    "id,name,prefix,integration,rights,project_id,expires_at,webhooks_count,created_at,last_used_at,revoked_at",
  );
  expect(csv).toContain(",Zapier,");
  expect(csv + (await read("keys/export?format=ndjson"))).not.toContain(key);
});

it("an export of the activity has the changes that the filter matches", async () => {
  await using exports = await openExports();
  const { world, read } = exports;
  const { id } = await world.createWebhook("/all");
  await world.ask(`POST /console/api/webhooks/${id}/pause`);
  const [heading, row, ...others] = toLines(await read("audit/export?action=webhook.paused"));
  expect(heading).toBe(
    "id,at,action,target_kind,target_id,changed,changes,actor_kind,actor_id,actor_name,request_id",
  );
  expect(row).toMatch(
    new RegExp(
      `^aud_[0-9a-f]+,[^,]+,webhook\\.paused,webhook,${id},status,status: active → paused,link,`,
      "u",
    ),
  );
  expect(others).toEqual([]);
});
