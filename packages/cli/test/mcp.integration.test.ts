import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createSignedHeaders } from "@hookwright/signature";
import { describe, expect, it } from "vitest";
import type { Row } from "../src/api/fields.ts";
import { checkInput } from "../src/mcp/check-input.ts";
import type { CollectedDeliveries } from "../src/mcp/collect-deliveries.ts";
import { tools } from "../src/mcp/tools.ts";
import { connect as connectApi } from "./support/connect.ts";
import { apiKey, openDeveloperServer } from "./support/developer-server.ts";
import type { DeveloperServer } from "./support/developer-server.ts";
import { delivery, orderBody } from "./support/rows.ts";
import { toCommand } from "./support/run-process.ts";

async function connect(server: { readonly url: string }, ...options: readonly string[]) {
  const [command, ...args] = toCommand(["mcp", ...options]);
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command,
      args,
      env: { PATH: process.env["PATH"] ?? "", HOOKWRIGHT_SERVER: server.url, HOOKWRIGHT_API_KEY: apiKey },
    }),
  );
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: input });
    const [first] = Array.isArray(content) ? content : [];
    return { isError, text: String(first?.text) };
  };
  return { client, call };
}

it("offers the reading commands as tools, and refuses the others", async () => {
  await using server = await openDeveloperServer();
  const { client, call } = await connect(server);
  try {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "whoami",
      "webhooks",
      "events",
      "deliveries",
      "delivery",
      "issues",
      "verify",
      "recovery",
      "resend_job",
    ]);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);

    expect(JSON.parse((await call("webhooks")).text)).toMatchObject([{ id: "wh_1" }]);
    expect(JSON.parse((await call("deliveries", { failed: true, limit: 5 })).text)).toMatchObject({
      deliveries: [{ id: "dlv_2" }],
    });
    expect(JSON.parse((await call("delivery", { id: "dlv_1" })).text)).toMatchObject({
      attempts: [{ number: 1 }],
    });
    const headers = await createSignedHeaders({
      body: orderBody,
      secret: "whsec_a",
      event: "order.created",
      deliveryId: "dlv_1",
    });
    const verified = await call("verify", {
      secret: "whsec_a\n",
      headers: JSON.stringify(headers),
      body: orderBody,
    });
    expect(JSON.parse(verified.text)).toMatchObject({
      valid: false,
      problems: [{ problem: "secret_white_space" }],
    });

    expect(await call("delivery")).toEqual({ isError: true, text: "id must be a text that is not empty." });
    expect(await call("delivery", { id: "" })).toMatchObject({ isError: true });
    expect(await call("delivery", { id: "dlv_unknown" })).toMatchObject({ isError: true });
    for (const name of ["trigger", "test", "pause", "resume", "resend", "recover"])
      expect(await call(name, { id: "dlv_1" })).toMatchObject({
        isError: true,
        text: expect.stringContaining("--allow-writes"),
      });
    expect(server.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  } finally {
    await client.close();
  }
});

it("with --allow-writes also triggers, resends and recovers", async () => {
  await using server = await openDeveloperServer();
  const { client, call } = await connect(server, "--allow-writes");
  try {
    expect(
      JSON.parse((await call("trigger", { event: "order.created", data: { total: 1 } })).text),
    ).toMatchObject({ listeners: 0 });
    await call("trigger", { event: "order.created", test: true });
    expect(server.requested("POST", /trigger$/u).map(({ json }) => json)).toEqual([
      { event: "order.created", data: { total: 1 }, strict: true, test: false },
      { event: "order.created", test: true },
    ]);
    expect(JSON.parse((await call("resend", { id: "dlv_1" })).text)).toMatchObject({ id: "dlv_3" });
    expect(JSON.parse((await call("recover", { webhook: "wh_1", since: "1h" })).text)).toMatchObject({
      id: "rec_1",
    });
    expect(
      JSON.parse((await call("resend_all", { since: "2d", webhook: "wh_1", dry_run: true })).text),
    ).toMatchObject({ found: 4 });
    expect(JSON.parse((await call("resend_job", { id: "rec_1" })).text)).toMatchObject({ found: 4 });
    expect(server.requests.filter(({ method }) => method === "POST").map(({ path }) => path)).toEqual([
      "/developer/v1/trigger",
      "/developer/v1/trigger",
      "/developer/v1/deliveries/dlv_1/resend",
      "/developer/v1/webhooks/wh_1/recoveries",
      "/developer/v1/resends",
    ]);
  } finally {
    await client.close();
  }
});

const serve = (server: DeveloperServer, path: string, data: unknown): void =>
  void server.overrides.set(path, { status: 200, body: { success: true, data, meta: { has_more: false } } });

const use = async (server: DeveloperServer, name: string, input: Row = {}): Promise<unknown> =>
  tools
    .find((tool) => tool.name === name)
    ?.call(input, { connect: async () => connectApi(server), now: Date.now, sleep: async () => {} });

it("lists events briefly, and describes one", async () => {
  await using server = await openDeveloperServer();
  const type = { event: "order.paid", description: "It is paid.", fields: [{ path: "id" }], sample: {} };
  serve(server, "GET /developer/v1/event-types", [type]);
  expect(await use(server, "events")).toEqual([{ event: "order.paid", description: "It is paid." }]);
  expect(await use(server, "events", { event: "order.paid" })).toEqual(type);
  await expect(use(server, "events", { event: "order.pay" })).rejects.toThrow(/unknown event "order.pay"/u);
});

it("names the events if nothing is found of an unknown one", async () => {
  await using server = await openDeveloperServer();
  serve(server, "GET /developer/v1/deliveries", []);
  serve(server, "POST /developer/v1/resends", { found: 0, skipped: 0, complete: true });
  serve(server, "GET /developer/v1/event-types", [{ event: "order.paid" }]);
  for (const [name, input] of [
    ["deliveries", {}],
    ["resend_all", { since: "2d", dry_run: true }],
  ] as const) {
    await use(server, name, { ...input, event: "order.paid" });
    await expect(use(server, name, { ...input, event: "order.payed" })).rejects.toThrow(
      "The events are: order.paid.",
    );
  }
});

it("filters deliveries and issues", async () => {
  await using server = await openDeveloperServer();
  serve(server, "GET /developer/v1/deliveries", [{ id: "dlv_1" }]);
  await use(server, "deliveries", { status: "pending", event: "order.paid", site: "site_1", issue: "iss_1" });
  await use(server, "issues", { webhook: "wh_1" });
  expect(server.requests.map(({ path, query }) => ({ path, query }))).toMatchObject([
    {
      path: "/developer/v1/deliveries",
      query: { status: "pending", event: "order.paid", project_id: "site_1", issue: "iss_1" },
    },
    { path: "/developer/v1/issues", query: { webhook_id: "wh_1" } },
  ]);
});

it("tests, pauses and resumes a webhook", async () => {
  await using server = await openDeveloperServer();
  for (const action of ["test", "pause", "resume"]) {
    serve(server, `POST /developer/v1/webhooks/wh_1/${action}`, { id: action });
    expect(await use(server, action, { webhook: "wh_1" })).toEqual({ id: action });
  }
});

it.each([
  ["deliveries", { limit: 0 }, "limit must be an integer from 1 to 100."],
  ["deliveries", { limit: "5" }, "limit must be an integer from 1 to 100."],
  ["deliveries", { failed: "yes" }, "failed must be true or false."],
  ["deliveries", { state: "failed" }, 'there is no input "state". The inputs are: failed, status, since'],
  ["webhooks", { id: "wh_1" }, 'there is no input "id". The inputs are: none.'],
  ["verify", { secret: "s", headers: "a: b", body: {} }, "body must be a text."],
  [
    "verify",
    { secret: "s", headers: "a: b", body: "", tolerance: -1 },
    "tolerance must be a number, 0 or more.",
  ],
  ["trigger", { event: "order.created", data: [] }, "data must be an object."],
  [
    "trigger",
    { event: "order.created", data: { items: [{ id: 2 ** 53 }] } },
    "data.items.0.id must be a text, because a number this large loses digits.",
  ],
  ["recover", { webhook: "wh_1", since: "1h", missed: 1 }, "missed must be true or false."],
])("%s refuses %j", (name, input, message) => {
  const tool = tools.find((each) => each.name === name);
  expect(() => checkInput(tool?.inputSchema ?? { type: "object", properties: {} }, input)).toThrow(message);
});

describe("the tool deliveries", () => {
  const list = async (server: DeveloperServer, input: Row): Promise<unknown> =>
    tools
      .find(({ name }) => name === "deliveries")
      ?.call(input, { connect: async () => connectApi(server), now: Date.now, sleep: async () => {} });

  /** Pages as the server returns them when it has scanned enough: some are short or empty. */
  function servePages(server: DeveloperServer, pages: readonly number[]): void {
    const rows = (count: number, page: number): object[] =>
      Array.from({ length: count }, (_, index) => ({ ...delivery, id: `dlv_${page}_${index}` }));
    server.deliveryPages = pages.map(rows);
  }

  it("collects short pages until its limit is reached", async () => {
    await using server = await openDeveloperServer();
    servePages(server, [0, 2, 0, 3, 1, 5]);
    const { deliveries, note } = (await list(server, { limit: 6 })) as CollectedDeliveries;
    expect(deliveries.map(({ id }) => id)).toEqual([
      "dlv_1_0",
      "dlv_1_1",
      "dlv_3_0",
      "dlv_3_1",
      "dlv_3_2",
      "dlv_4_0",
    ]);
    expect(note).toBeUndefined();
    expect(server.requests).toHaveLength(5);
  });

  it("says nothing at the end of the log", async () => {
    await using server = await openDeveloperServer();
    servePages(server, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(await list(server, {})).toEqual({ deliveries: [expect.objectContaining({ id: "dlv_9_0" })] });
  });

  it("says so if it stopped before the end", async () => {
    await using server = await openDeveloperServer();
    servePages(
      server,
      Array.from({ length: 30 }, () => 1),
    );
    expect(await list(server, {})).toMatchObject({
      deliveries: { length: 10 },
      note: expect.stringContaining("older deliveries may be missing"),
    });
  });
});
