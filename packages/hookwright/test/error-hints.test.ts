import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, it } from "vitest";
import { createHookwright } from "../src/create-hookwright.ts";
import { openSession } from "./support/open-session.ts";

const hostToken = "the host's own token";

/** An account with one site. Returns status, code and message of an error. */
async function openShop() {
  const hookwright = await createHookwright({ store: memoryStore(), secret: "s".repeat(32), hostToken });
  await hookwright.accounts.put("acc_1", { email: "owner@example.com" });
  await hookwright.projects.put("site_1", { account_id: "acc_1", name: "Shop" });
  const { api_key: key } = await hookwright.apiKeys.create("acc_1", { name: "Tool" });
  const token = await openSession(hookwright);
  const tokens = { "/v1": key, "/console": token, "/host": hostToken };
  return {
    hookwright,
    async refusalOf(target: string, json?: unknown): Promise<readonly unknown[]> {
      const [method = "GET", path = "/"] = target.split(" ");
      const [, bearer] = Object.entries(tokens).find(([start]) => path.startsWith(start)) ?? [];
      const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
      const body = json === undefined ? undefined : JSON.stringify(json);
      const url = `http://localhost${path}`;
      const response = await hookwright.fetch(
        new Request(url, { method, headers, ...(body === undefined ? {} : { body }) }),
      );
      const { error, data } = JSON.parse(await response.text());
      const refusal = error ?? data[0].error;
      return [refusal.code, refusal.message];
    },
    [Symbol.asyncDispose]: () => hookwright.close(),
  };
}

const meant =
  "`order.create` is not a known event; did you mean `order.created`? GET /v1/event-types lists them";

describe("a misspelt event name", () => {
  const webhook = { event: "order.create", target_url: "https://example.com/hooks" };
  const published = { event: "order.create", project_id: "site_1", data: { id: "ord_1" } };

  it.each([
    ["POST /v1/webhooks", webhook, `event: ${meant}`],
    ["POST /console/api/webhooks", webhook, `event: ${meant}`],
    ["GET /v1/event-types/order.create/samples", undefined, `type: ${meant}`],
    ["POST /host/v1/events", published, `event: ${meant}`],
    ["POST /host/v1/events", [published], `event: ${meant}`],
  ])("gets an error from %s with the right name", async (target, json, message) => {
    await using shop = await openShop();
    expect(await shop.refusalOf(target, json)).toEqual(["unknown_event", message]);
  });
});

describe("a target URL", () => {
  const local = "; for a receiver on your machine use `--private-targets allow` or `hookwright listen`";

  it.each([
    ["http://localhost:3000/hooks", `must start with https://${local}`],
    ["http://example.com/hooks", `must start with https://${local}`],
    ["https://localhost:3000/hooks", `must not point to localhost${local}`],
    ["https://127.1/hooks", `must point to a public address, and 127.0.0.1 is not one${local}`],
    ["https://192.168.1.20/hooks", `must point to a public address, and 192.168.1.20 is not one${local}`],
    ["https://[::1]/hooks", `must point to a public address, and ::1 is not one${local}`],
    ["https://receiver/hooks", `must name a public host, such as hooks.example.com${local}`],
    ["https://shop.local/hooks", `must not point to a .local name${local}`],
    ["https://db.lan/hooks", `must not point to a .lan name${local}`],
    ["https://168.63.129.16/hooks", `must point to a public address, and 168.63.129.16 is not one${local}`],
    ["https://example.com:25/hooks", "must not use port 25; allowed ports are 443, 8443, 1024 to 65535"],
    ["https://example.com:0/hooks", "must not use port 0; allowed ports are 443, 8443, 1024 to 65535"],
    [
      `https://${"a".repeat(64)}.example.com/hooks`,
      "must name a host whose labels have at most 63 characters",
    ],
    ["https://shop..example.com/hooks", "must name a host without two dots in a row"],
    ["ftp://example.com/hooks", "must start with https://"],
    ["https://me:secret@example.com/hooks", "must not contain a user name or password"],
    ["https://example.com/a b", "must not contain white space or control characters"],
    ["https://exa%00mple.com/", "must be a valid URL"],
    [`https://example.com/${"x".repeat(3_000)}`, "must be at most 2048 characters"],
  ])("%s gets an error that names the broken rule", async (url, message) => {
    await using shop = await openShop();
    for (const path of ["/v1/webhooks", "/console/api/webhooks"])
      expect(await shop.refusalOf(`POST ${path}`, { event: "order.paid", target_url: url })).toEqual([
        "invalid_target_url",
        `target_url: ${message}`,
      ]);
  });
});
