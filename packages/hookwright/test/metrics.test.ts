import { memoryStore } from "@hookwright/storage/memory";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createHookwright } from "../src/create-hookwright.ts";
import type { HookwrightOptions } from "../src/options/options.ts";
import { openConsole } from "./support/open-console.ts";
import { openReceiver } from "./support/open-receiver.ts";

const hostToken = "a token of the host";

function open(options: Partial<HookwrightOptions> = {}) {
  return createHookwright({ store: memoryStore(), secret: "s".repeat(32), privateTargets: true, ...options });
}

function ask(hookwright: Awaited<ReturnType<typeof open>>, path: string, token?: string): Promise<Response> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return hookwright.fetch(new Request(`http://localhost${path}`, { headers }));
}

it("the access log has one line for each request, without a path, a query or a token", async () => {
  const lines: unknown[] = [];
  const logger = {
    info: (message: string, fields?: object) => void lines.push({ message, ...fields }),
    warn: () => {},
    error: () => {},
  };
  await using hookwright = await open({ accessLog: true, role: "api", logger });
  await hookwright.accounts.put("acc_1", { email: "owner@example.com" });
  const { api_key: key } = await hookwright.apiKeys.create("acc_1", { name: "test" });
  const response = await ask(hookwright, "/v1/orders/ada@example.com?a=1", key);
  expect(lines).toEqual([
    {
      message: "A request was answered.",
      method: "GET",
      route: "/v1/orders/{id}",
      status: response.status,
      duration_ms: expect.any(Number),
      request_id: response.headers.get("x-request-id"),
      account_id: "acc_1",
      component: "api",
      code: "request_served",
    },
  ]);
});

it("the attempt log has one line for each attempt, without a URL or a text of the receiver", async () => {
  await using receiver = await openReceiver();
  const lines: object[] = [];
  const logger = {
    info: (message: string, fields?: object) => void lines.push({ message, ...fields }),
    warn: () => {},
    error: () => {},
  };
  await using hookwright = await open({ attemptLog: true, logger });
  await hookwright.accounts.put("acc_1", { email: "owner@example.com" });
  await hookwright.projects.put("site_1", { account_id: "acc_1", name: "Shop" });
  await hookwright.webhooks.create(
    { accountId: "acc_1", credential: { type: "console" } },
    { event: "subscriber.created", target_url: `${receiver.origin}/hook` },
  );
  await hookwright.subscribers.subscribe("acc_1", { project_id: "site_1", email: "ada@example.com" });
  await expect
    .poll(() => lines)
    .toEqual([
      {
        message: "A delivery attempt was recorded.",
        account_id: "acc_1",
        webhook_id: expect.stringMatching(/^wh_/u),
        delivery_id: expect.stringMatching(/^dlv_/u),
        event: "subscriber.created",
        kind: "event",
        attempt: 1,
        http_status: 204,
        attempt_error: null,
        duration_ms: expect.any(Number),
        delivery_status: "delivered",
        component: "delivery",
        code: "attempt_recorded",
      },
    ]);
});

describe("GET /metrics", () => {
  it("is open to a metrics token, which must not be a host token", async () => {
    await using hookwright = await open({ hostToken, metricsToken: "of metrics" });
    expect((await ask(hookwright, "/metrics", "of metrics")).status).toBe(200);
    await expect(open({ hostToken, metricsToken: hostToken })).rejects.toThrow(/metricsToken: must differ/u);
  });

  it("is only in `admin`, without the base path, if there is an admin listener", async () => {
    await using hookwright = await open({ hostToken, adminListener: true, basePath: "/hooks" });
    const statusOf = async (api: Pick<typeof hookwright, "fetch">, path: string): Promise<number> => {
      const headers = { authorization: `Bearer ${hostToken}` };
      return (await api.fetch(new Request(`http://localhost${path}`, { headers }))).status;
    };
    expect(await statusOf(hookwright, "/hooks/metrics")).toBe(404);
    expect(await statusOf(hookwright, "/hooks/readyz")).toBe(200);
    expect(await statusOf(hookwright.admin, "/metrics")).toBe(200);
    expect(await statusOf(hookwright.admin, "/readyz")).toBe(200);
    expect(await statusOf(hookwright.admin, "/v1/openapi.json")).toBe(404);
  });

  it("counts requests by route and attempts by outcome, without personal data", async () => {
    await using receiver = await openReceiver();
    await using hookwright = await open({ metrics: "public" });
    await hookwright.accounts.put("acc_1", { email: "owner@example.com" });
    await hookwright.projects.put("site_1", { account_id: "acc_1", name: "Shop" });
    const { api_key: key } = await hookwright.apiKeys.create("acc_1", { name: "test" });
    await hookwright.webhooks.create(
      { accountId: "acc_1", credential: { type: "console" } },
      { event: "subscriber.created", target_url: `${receiver.origin}/hook` },
    );
    await hookwright.subscribers.subscribe("acc_1", { project_id: "site_1", email: "ada@example.com" });
    await receiver.next();
    await ask(hookwright, "/v1/orders/ord_secret", key);
    await ask(hookwright, "/nowhere/ord_secret");
    await expect
      .poll(async () => (await ask(hookwright, "/metrics")).text())
      .toContain("hookwright_deliveries_total{");
    const text = await (await ask(hookwright, "/metrics")).text();
    expect(text).toContain(
      'hookwright_requests_total{method="GET",route="/v1/orders/{id}",status="404"} 1\n',
    );
    expect(text).toContain('hookwright_requests_total{method="GET",route="unknown",status="404"} 1\n');
    expect(text).toContain(
      'hookwright_attempts_total{event="subscriber.created",kind="event",error="none"} 1\n',
    );
    expect(text).toContain(
      'hookwright_deliveries_total{event="subscriber.created",kind="event",status="delivered"} 1\n',
    );
    expect(text).toMatch(/^hookwright_attempt_duration_seconds_count 1$/m);
    expect(text).toMatch(/^hookwright_partitions_leased 64$/m);
    expect(text).not.toMatch(/acc_1|site_1|hwk_|whsec_|127\.0\.0\.1|ord_secret|example\.com/);
  });
});

it("console tests have their own kind of attempts and deliveries, and are not in the queue metrics", async () => {
  await using world = await openConsole({ metrics: "public" });
  const { data } = await world.ask("POST /console/api/webhooks", {
    event: "review.submitted",
    target_url: `${world.origin}/hook`,
  });
  await world.ask(`POST /console/api/webhooks/${String(data["id"])}/test`);
  world.answerWith(500);
  await world.ask(`POST /console/api/webhooks/${String(data["id"])}/test`);
  const text = await (await ask(world.hookwright, "/metrics")).text();
  const samples = text.split("\n").filter((line) => line.includes('kind="test"'));
  expect(samples).toEqual([
    'hookwright_attempts_total{event="review.submitted",kind="test",error="none"} 1',
    'hookwright_attempts_total{event="review.submitted",kind="test",error="status"} 1',
    'hookwright_deliveries_total{event="review.submitted",kind="test",status="delivered"} 1',
    'hookwright_deliveries_total{event="review.submitted",kind="test",status="failed"} 1',
  ]);
  expect(text).toMatch(/^hookwright_attempt_duration_seconds_count 2$/m);
});

it("the operator's table lists exactly the existing metrics", async () => {
  await using hookwright = await open({ metrics: "public" });
  const text = await (await ask(hookwright, "/metrics")).text();
  const page = await readFile(new URL("../../../docs/operations/monitoring.md", import.meta.url), "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("| `") && !line.includes("GET /"));
  const documented = rows.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/gu)].map(([, name]) => name),
  );
  expect(documented.toSorted()).toEqual(
    [...text.matchAll(/^# TYPE (\w+)/gmu)].map(([, name]) => name).toSorted(),
  );
});
