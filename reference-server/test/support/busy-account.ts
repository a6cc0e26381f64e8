import type { Hookwright } from "hookwright";
import { expect } from "vitest";
import { createDemoOrder } from "../../src/demo/demo-order.ts";

export const busyAccount = "acc_busy";

/** Creates an account with data of every kind. Returns its API key and the ids of its webhooks. */
export async function fillAccount(
  hookwright: Hookwright,
  { targetUrl }: { readonly targetUrl: string },
): Promise<{
  readonly apiKey: string;
  readonly webhookIds: readonly string[];
  readonly signingSecret: string;
}> {
  const { accounts, projects, emailLists, apiKeys, webhooks, publish } = hookwright;
  await accounts.put(busyAccount, {
    name: "Busy",
    email: "old@example.com",
    password: "correct horse battery",
    timezone: "Europe/Rome",
  });
  await accounts.put(busyAccount, { email: "busy@example.com" });
  for (const id of ["site_a", "site_b"])
    await projects.put(id, { account_id: busyAccount, name: `Site ${id}` });
  await emailLists.put("list_a", { project_id: "site_a", name: "News" });
  const { api_key: apiKey } = await apiKeys.create(busyAccount, { name: "main" });
  const other = await apiKeys.create(busyAccount, { name: "revoked" });
  await apiKeys.revoke(other.id);
  const caller = { accountId: busyAccount, credential: { type: "console" } } as const;
  const { webhook: paid } = await webhooks.create(caller, {
    event: "order.created",
    target_url: `${targetUrl}/orders`,
  });
  const { webhook: subscribed } = await webhooks.create(caller, {
    event: "subscriber.created",
    target_url: `${targetUrl}/subscribers`,
  });

  for (let number = 0; number < 12; number++) {
    const data = createDemoOrder({
      id: `ord_${number}`,
      number: String(number),
      createdAt: Date.now() - number,
    });
    await publish({ event: "order.created", project_id: number % 3 === 0 ? "site_b" : "site_a", data });
  }
  const call = async (path: string, body: unknown): Promise<void> => {
    const response = await hookwright.fetch(
      new Request(`http://localhost/v1/${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
    expect(await response.json()).toMatchObject({ success: true });
  };
  await call("contacts", {
    project_id: "site_a",
    email: "é@example.com",
    name: "É \u2028 line",
    tags: ["vip"],
  });
  await call("subscribers", {
    project_id: "site_a",
    list_id: "list_a",
    email: "sub@example.com",
    name: "Sub",
  });
  await call("blog-posts", { project_id: "site_a", title: "Hello world", content: "<p>Hello</p>" });
  return {
    apiKey,
    webhookIds: [paid.id, subscribed.id],
    signingSecret: paid.signing_secret ?? "",
  };
}

/** All responses of the API about the account, page by page, without request ids. */
export async function answersOf(hookwright: Hookwright, apiKey: string): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  const paths = [
    "me",
    "projects",
    "email-lists?project_id=site_a",
    "webhooks",
    "contacts",
    "contacts?project_id=site_a&limit=1",
    "orders?limit=5",
    "orders?project_id=site_b",
    "orders/ord_3",
    "event-types",
    "event-types/order.created/samples",
    "event-types/subscriber.created/samples",
  ];
  for (const path of paths) {
    const response = await hookwright.fetch(
      new Request(`http://localhost/v1/${path}`, { headers: { authorization: `Bearer ${apiKey}` } }),
    );
    const { data, error }: Record<string, unknown> = await response.json();
    answers[path] = { status: response.status, data, error };
  }
  return answers;
}
