import { memoryStore } from "@hookwright/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHookwright } from "../../src/create-hookwright.ts";
import type { Hookwright } from "../../src/create-hookwright.ts";
import { openSession } from "../support/open-session.ts";

const hostToken = "host-token-of-thirty-two-characters";
let hookwright: Hookwright;
let token = "";
/** A webhook of another account. */
let foreign = "";

beforeAll(async () => {
  hookwright = await createHookwright({
    store: memoryStore(),
    secret: "s".repeat(32),
    hostToken,
    role: "api",
  });
  await hookwright.accounts.put("acc_1", { email: "owner@example.com" });
  await hookwright.accounts.put("acc_2", { email: "other@example.com" });
  await hookwright.projects.put("site_2", { account_id: "acc_2" });
  const { webhook } = await hookwright.webhooks.create(
    { accountId: "acc_2", credential: { type: "console" } },
    { event: "order.paid", target_url: "https://example.com/hook" },
  );
  foreign = webhook.id;
  token = await openSession(hookwright);
});
afterAll(() => hookwright.close());

async function ask(path: string) {
  const authorization = `Bearer ${path.startsWith("/host") ? hostToken : token}`;
  const response = await hookwright.fetch(
    new Request(`http://localhost${path}`, { headers: { authorization } }),
  );
  return { status: response.status, ...(await response.json()) };
}

const lists: readonly (readonly [path: string, values: Readonly<Record<string, string>>])[] = [
  ...["/console/api/deliveries", "/console/api/deliveries/counts", "/developer/v1/deliveries"].map(
    (path) =>
      [
        path,
        {
          status: "pending, delivered, failed, cancelled",
          kind: "event, resend, test",
          error: "timeout, dns, blocked_address, connect, tls, reset, protocol, status",
        },
      ] as const,
  ),
  ["/console/api/issues", { status: "open, acknowledged, ignored" }],
  ["/developer/v1/issues", { status: "open, acknowledged, ignored" }],
  ["/console/api/webhooks", { status: "`removed`", include: "`health`" }],
  [
    "/console/api/requests",
    {
      method: "GET, HEAD, POST, PUT, PATCH, DELETE",
      status: "an HTTP status such as 404, or 2xx, 4xx or 5xx",
    },
  ],
  ["/console/api/requests/counts", { method: "GET", status: "2xx", period: "`1h`, `24h`, `7d` or `30d`" }],
  ["/console/api/overview", { period: "`1h`, `24h`, `7d` or `30d`" }],
  ["/console/api/audit", { action: "webhook.paused" }],
  ["/host/v1/audit", { action: "webhook.paused" }],
  ["/host/v1/accounts", { status: "active, suspended" }],
  ["/host/v1/webhooks", { status: "active, paused, switched_off or disabled_by_host" }],
];
const filters = lists.flatMap(([path, values]) =>
  Object.entries(values).map(([name, allowed]) => ({ path, name, allowed })),
);

describe("a filter", () => {
  it.each(filters)("$path?$name= refuses unknown values, and names those that it knows", async (filter) => {
    const { path, name, allowed } = filter;
    const { status, error } = await ask(`${path}?${name}=bogus`);
    expect([status, error.code]).toEqual([422, "validation_failed"]);
    expect(error.message).toMatch(new RegExp(`^${name}: must be `, "u"));
    expect(error.message).toContain(allowed);
  });

  it("is refused before its cursor is read", async () => {
    expect(await ask("/console/api/deliveries?status=bogus&cursor=x")).toMatchObject({ status: 422 });
  });

  it.each(["foreign", "unknown"])(
    "of the overview refuses the webhook and the site that are %s",
    async (kind) => {
      const [webhook, site] = kind === "foreign" ? [foreign, "site_2"] : ["wh_unknown", "site_unknown"];
      const overview = "/console/api/overview";
      expect(await ask(`${overview}?webhook_id=${webhook}`)).toMatchObject({
        status: 404,
        error: { code: "resource_not_found" },
      });
      expect(await ask(`${overview}?project_id=${site}`)).toMatchObject({
        status: 422,
        error: { code: "validation_failed", message: "project_id: is not one of the account's sites" },
      });
    },
  );

  it.each(["foreign", "unknown"])("by the id of something %s finds nothing in a list", async (kind) => {
    const [webhook, site] = kind === "foreign" ? [foreign, "site_2"] : ["wh_unknown", "site_unknown"];
    for (const path of ["/console/api/deliveries", "/developer/v1/deliveries"]) {
      expect(await ask(`${path}?webhook_id=${webhook}`)).toMatchObject({ status: 200, data: [] });
      expect(await ask(`${path}?project_id=${site}`)).toMatchObject({ status: 422 });
    }
    expect((await ask(`/console/api/deliveries/counts?webhook_id=${webhook}`)).data.all).toBe(0);
    expect(await ask("/console/api/requests?key_id=key_unknown")).toMatchObject({ status: 200, data: [] });
    expect(await ask("/host/v1/audit?account_id=acc_unknown")).toMatchObject({ status: 200, data: [] });
  });
});
