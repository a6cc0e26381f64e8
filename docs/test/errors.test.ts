import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "hookwright";
import type { Hookwright } from "hookwright";
import { apiErrors } from "@hookwright/domain";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readErrorPage } from "./support/read-error-page.ts";

const page = readErrorPage();
const hour = 3_600_000;
let time = Date.now();
const now = (): number => time;
const store = memoryStore({ now });
let hookwright: Hookwright;
/** The tokens for the placeholders of the page. */
let tokens: Readonly<Record<string, string>> = {};

async function createAccount(name: string, account: object = {}): Promise<string> {
  const accountId = `acc_${name}`;
  await hookwright.accounts.put(accountId, { email: `${name}@example.com`, ...account });
  await hookwright.projects.put(`site_${name}`, { account_id: accountId, name });
  return (await hookwright.apiKeys.create(accountId, { name })).api_key;
}

async function createWebhooksKey(): Promise<string> {
  await createAccount("hooks");
  return (await hookwright.apiKeys.create("acc_hooks", { name: "Hooks", rights: ["webhooks"] })).api_key;
}

function get(path: string, token: string): Promise<Response> {
  return hookwright.fetch(
    new Request(`http://localhost${path}`, { headers: { authorization: `Bearer ${token}` } }),
  );
}

async function openExpiredSession(): Promise<string> {
  await createAccount("console", { password: "correct horse battery" });
  const { token } = await hookwright.sessions.create({
    email: "console@example.com",
    password: "correct horse battery",
  });
  time += hour;
  return token;
}

async function useUpRateLimit(): Promise<string> {
  const token = await createAccount("busy");
  for (let request = 0; request < 200; request++) await get("/v1/me", token);
  return token;
}

async function createFiftyWebhooks(): Promise<string> {
  const token = await createAccount("full");
  for (let number = 0; number < 50; number++) {
    await hookwright.webhooks.create(
      { accountId: "acc_full", credential: { type: "console" } },
      { event: "order.created", target_url: `https://example.com/${number}` },
    );
  }
  return token;
}

beforeAll(async () => {
  hookwright = await createHookwright({ store, secret: "s".repeat(32), now, role: "api" });
  tokens = {
    expired_console_token: await openExpiredSession(),
    api_key: await createAccount("shop"),
    key_of_a_suspended_account: await createAccount("suspended", { status: "suspended" }),
    key_without_crm: await createAccount("lean", { plan: { crm: false } }),
    key_with_no_subscribers_left: await createAccount("small", { plan: { monthly_new_subscribers: 0 } }),
    key_after_200_requests: await useUpRateLimit(),
    key_with_50_webhooks: await createFiftyWebhooks(),
    key_for_webhooks_only: await createWebhooksKey(),
    key_of_a_demo_account: await createAccount("demo", { demo: true }),
  };
});

afterAll(async () => {
  await hookwright.close();
  await store.close();
});

it("the error page lists exactly the codes and statuses of the catalogue", () => {
  const onPage = Object.fromEntries(page.map(({ code, statuses }) => [code, statuses[0]]));
  const { internal_error: _, ...documented } = apiErrors;
  const inCatalogue = Object.entries(documented).map(([code, { status }]) => [code, status]);
  expect(onPage).toEqual(Object.fromEntries(inCatalogue));
});

it.each(page)("the example request of $code returns this error", async ({ code, statuses, request }) => {
  const { method, path, headers, body } = request;
  const authorization = headers["Authorization"]?.replaceAll(/\{(\w+)\}/g, (placeholder, name) => {
    const token = tokens[String(name)];
    if (token === undefined) throw new Error(`the page does not explain ${String(placeholder)}`);
    return token;
  });
  const response = await hookwright.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { ...headers, ...(authorization === undefined ? {} : { Authorization: authorization }) },
      ...(body === undefined ? {} : { body }),
    }),
  );
  const answered: unknown = await response.json();
  expect([response.status, answered]).toMatchObject([statuses[0], { success: false, error: { code } }]);
});
