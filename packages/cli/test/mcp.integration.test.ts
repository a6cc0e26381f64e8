import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createSignedHeaders } from "@hookwright/signature";
import { expect, it } from "vitest";
import { apiKey, openDeveloperServer } from "./support/developer-server.ts";
import { orderBody } from "./support/rows.ts";
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
      "deliveries",
      "delivery",
      "verify",
      "recovery",
    ]);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);

    expect(JSON.parse((await call("webhooks")).text)).toMatchObject([{ id: "wh_1" }]);
    expect(JSON.parse((await call("deliveries", { failed: true, limit: 5 })).text)).toMatchObject([
      { id: "dlv_2" },
    ]);
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
    expect(await call("delivery", { id: "dlv_unknown" })).toMatchObject({ isError: true });
    expect((await call("resend", { id: "dlv_1" })).text).toContain("--allow-writes");
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
    expect(JSON.parse((await call("resend", { id: "dlv_1" })).text)).toMatchObject({ id: "dlv_3" });
    expect(JSON.parse((await call("recover", { webhook: "wh_1", since: "1h" })).text)).toMatchObject({
      id: "rec_1",
    });
    expect(server.requests.filter(({ method }) => method === "POST").map(({ path }) => path)).toEqual([
      "/developer/v1/trigger",
      "/developer/v1/deliveries/dlv_1/resend",
      "/developer/v1/webhooks/wh_1/recoveries",
    ]);
  } finally {
    await client.close();
  }
});
