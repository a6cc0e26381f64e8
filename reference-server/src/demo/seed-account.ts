import type { Hookwright } from "hookwright";
import { demoNames } from "./demo-names.ts";
import { isReceiverTarget } from "./receiver.ts";
import { randomPassword } from "./random-text.ts";
import { sampleRecords } from "./sample-records.ts";

export interface DemoLogin {
  readonly email: string;
  /** New at each start. */
  readonly password: string;
}

export interface DemoAccount extends DemoLogin {
  readonly apiKey: string;
}

type SeedServices = Pick<
  Hookwright,
  "accounts" | "projects" | "emailLists" | "apiKeys" | "webhooks" | "publishMany"
>;

const { accountId, email, projectId, secondProjectId, listId, keyName } = demoNames;
const plan = {
  name: "demo",
  integrations: true,
  crm: true,
  monthly_new_subscribers: null,
  blog_posts_per_site: null,
};

/**
 * Creates or updates the demo account: sites, records, a new password, a new key. The account does not have `demo:
 * true`, because that would make it read-only.
 *
 * @param receiverOrigin of the running receiver, whose webhooks stay
 */
export async function seedAccount(services: SeedServices, receiverOrigin: string): Promise<DemoAccount> {
  const password = randomPassword();
  await putAccount(services, { password });
  await removeLeftovers(services, accountId, receiverOrigin);
  const { api_key: apiKey } = await services.apiKeys.create(accountId, { name: keyName });
  return { email, password, apiKey };
}

/** Creates or updates the demo account with its sites and records. */
export async function putAccount(
  {
    accounts,
    projects,
    emailLists,
    publishMany,
  }: Pick<SeedServices, "accounts" | "projects" | "emailLists" | "publishMany">,
  login: { readonly password?: string } = {},
): Promise<void> {
  await accounts.put(accountId, {
    name: "Demo Bakery",
    email,
    timezone: "Europe/Berlin",
    status: "active",
    demo: false,
    plan,
    ...login,
  });
  await projects.put(projectId, { account_id: accountId, name: "Demo Bakery", timezone: "Europe/Berlin" });
  await projects.put(secondProjectId, {
    account_id: accountId,
    name: "Demo Studio",
    timezone: "Europe/London",
  });
  await emailLists.put(listId, { project_id: projectId, name: "Newsletter" });
  await publishMany(sampleRecords);
}

/** Creates or updates an account with one site and nothing else, in which a newcomer takes the first steps. */
export async function seedNewAccount(services: SeedServices, receiverOrigin: string): Promise<DemoLogin> {
  const { newAccountId, newEmail, newProjectId } = demoNames;
  const password = randomPassword();
  await services.accounts.put(newAccountId, {
    name: "New Shop",
    email: newEmail,
    timezone: "Europe/Berlin",
    status: "active",
    demo: false,
    plan,
    password,
  });
  await services.projects.put(newProjectId, {
    account_id: newAccountId,
    name: "New Shop",
    timezone: "Europe/Berlin",
  });
  await removeLeftovers(services, newAccountId, receiverOrigin);
  return { email: newEmail, password };
}

/** Removes leftovers of earlier starts: webhooks for receivers that no longer run, and unused keys. */
async function removeLeftovers(
  { webhooks, apiKeys }: Pick<SeedServices, "webhooks" | "apiKeys">,
  accountId: string,
  receiverOrigin: string,
): Promise<void> {
  const { rows } = await webhooks.listForConsole(accountId, { limit: 100 });
  /** Revoking a key removes its webhooks. A key with other webhooks stays, because a user may be testing them. */
  const inUse = new Set<string>();
  for (const { id, target_url: targetUrl, created_by: creator } of rows) {
    if (targetUrl.startsWith(`${receiverOrigin}/`)) continue;
    if (isReceiverTarget(targetUrl)) await webhooks.remove(accountId, id);
    else if (creator.key_id !== null) inUse.add(creator.key_id);
  }
  for (const id of await listDemoKeys(apiKeys, accountId))
    if (!inUse.has(id)) await apiKeys.revoke(id, accountId);
}

/** Lists the active keys. It reads all pages, because revoked keys stay in the list. */
async function listDemoKeys(apiKeys: SeedServices["apiKeys"], accountId: string): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const { rows, meta } = await apiKeys.list(accountId, { limit: 100, cursor });
    const found = rows.filter(({ name, revoked_at: revokedAt }) => name === keyName && revokedAt === null);
    ids.push(...found.map(({ id }) => id));
    cursor = meta.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
}
