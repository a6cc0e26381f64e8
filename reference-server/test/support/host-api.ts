import { expect } from "vitest";
import { createDemoOrder } from "../../src/demo/demo-order.ts";
import type { ServerProcess } from "./server-process.ts";

export const hostToken = "host-token-of-these-tests";

/** Calls the server's HTTP API and returns the `data` of the envelope. */
export async function call(
  server: Pick<ServerProcess, "url">,
  path: string,
  { method = "GET", token = hostToken, body }: { method?: string; token?: string; body?: unknown } = {},
): Promise<Record<string, unknown>> {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const envelope: unknown = await response.json();
  expect(envelope).toMatchObject({ success: true });
  return toRecord(toRecord(envelope)["data"]);
}

/** Creates an account with one site and a key, as a host does. */
export async function createAccount(
  server: Pick<ServerProcess, "url">,
  number = 1,
): Promise<{ apiKey: string }> {
  const accountId = `acc_${number}`;
  await call(server, `/host/v1/accounts/${accountId}`, {
    method: "PUT",
    body: { name: "One", email: "one@example.com" },
  });
  await call(server, `/host/v1/projects/site_${number}`, {
    method: "PUT",
    body: { account_id: accountId, name: "One" },
  });
  const key = await call(server, `/host/v1/accounts/${accountId}/api-keys`, {
    method: "POST",
    body: { name: "test" },
  });
  return { apiKey: String(key["api_key"]) };
}

/** Creates a webhook for new orders. */
export async function createWebhook(
  server: Pick<ServerProcess, "url">,
  { token, url }: { readonly token: string; readonly url: string },
): Promise<Record<string, unknown>> {
  const body = { event: "order.created", target_url: url };
  return call(server, "/v1/webhooks", { method: "POST", token, body });
}

/** Publishes a new order of `site_1`. */
export async function publishOrder(
  server: Pick<ServerProcess, "url">,
  id: string,
): Promise<Record<string, unknown>> {
  const data = createDemoOrder({ id, number: id, createdAt: Date.now() });
  const body = { event: "order.created", project_id: "site_1", data };
  return call(server, "/host/v1/events", { method: "POST", body });
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
