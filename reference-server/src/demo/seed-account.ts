import type { Hookwright } from "hookwright";
import { demoNames } from "./demo-names.ts";
import { isReceiverTarget } from "./receiver.ts";
import { randomPassword } from "./random-text.ts";
import { sampleRecords } from "./sample-records.ts";

export interface DemoAccount {
  readonly email: string;
  /** Set anew at each start. */
  readonly password: string;
  readonly apiKey: string;
}

type SeedServices = Pick<
  Hookwright,
  "accounts" | "projects" | "emailLists" | "apiKeys" | "webhooks" | "publishMany"
>;

const { accountId, email, projectId, secondProjectId, listId, keyName } = demoNames;

/**
 * Makes the demo account, or brings the one of an earlier start up to date: sites, records, a new password, a new key. Not
 * `demo: true` as the API means it: that would be read-only, and a trial wants to write.
 */
export async function seedAccount(services: SeedServices): Promise<DemoAccount> {
  const { accounts, projects, emailLists, apiKeys, publishMany } = services;
  const password = randomPassword();
  await accounts.put(accountId, {
    name: "Demo Bakery",
    email,
    timezone: "Europe/Berlin",
    status: "active",
    demo: false,
    plan: {
      name: "demo",
      integrations: true,
      crm: true,
      monthly_new_subscribers: null,
      blog_posts_per_site: null,
    },
    password,
  });
  await projects.put(projectId, { account_id: accountId, name: "Demo Bakery", timezone: "Europe/Berlin" });
  await projects.put(secondProjectId, {
    account_id: accountId,
    name: "Demo Studio",
    timezone: "Europe/London",
  });
  await emailLists.put(listId, { project_id: projectId, name: "Newsletter" });
  await publishMany(sampleRecords);
  await removeLeftovers(services);
  const { api_key: apiKey } = await apiKeys.create(accountId, { name: keyName });
  return { email, password, apiKey };
}

/** What earlier starts left: webhooks to receivers that are gone, and keys that nobody has any more. */
async function removeLeftovers({
  webhooks,
  apiKeys,
}: Pick<SeedServices, "webhooks" | "apiKeys">): Promise<void> {
  const { rows } = await webhooks.list(accountId, { limit: 100 });
  const stale = rows.filter(({ target_url: targetUrl }) => isReceiverTarget(targetUrl));
  for (const { id } of stale) await webhooks.remove(accountId, id);
  // Revoking a key removes the webhooks it made, and those may be somebody's trial: then the keys stay.
  if (rows.length > stale.length) return;
  const keys = await apiKeys.list(accountId, { limit: 100 });
  for (const { id, name, revoked_at: revokedAt } of keys.rows) {
    if (name === keyName && revokedAt === null) await apiKeys.revoke(id, accountId);
  }
}
