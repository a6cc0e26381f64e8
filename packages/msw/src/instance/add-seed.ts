import { HookwrightError, isHookwrightError } from "@hookwright/domain";
import type { OwnEvents } from "@hookwright/domain";
import { MockError } from "../mock-error.ts";
import type { Seed, SeedSubscriber, SeedWebhook } from "../seed.ts";
import { changeWebhook } from "./change-webhook.ts";
import { firstProject } from "./first-project.ts";
import type { Instance } from "./instance.ts";
import { publishSample } from "./publish-sample.ts";

/**
 * Adds a seed by the functions of the host, one row after the other.
 *
 * @throws HookwrightError `validation_failed` and other errors of the service
 * @throws MockError `invalid_seed`, `no_project`
 */
export async function addSeed<Own extends OwnEvents>(instance: Instance, seed: Seed<Own>): Promise<void> {
  const { accountId, service, projects, emailLists } = instance;
  const { id = accountId, ...account } = seed.account ?? {};
  if (id !== accountId) throw new MockError("invalid_seed", "account.id: the account cannot be replaced.");
  await service.accounts.put(accountId, account);
  await addEach("projects", seed.projects, async ({ id, ...input }) => {
    const { project } = await service.projects.put(id, { ...input, account_id: accountId });
    projects.set(id, project);
  });
  await addEach("emailLists", seed.emailLists, async ({ id, ...input }) => {
    const site = firstProject(instance, input.project_id ?? emailLists.get(id)?.project_id);
    const { emailList } = await service.emailLists.put(id, { ...input, project_id: site });
    emailLists.set(id, emailList);
  });
  await addEach("suppressions", seed.suppressions, (email) =>
    service.suppressions.put(email, { reason: "bounced" }),
  );
  await addEach("contacts", seed.contacts, async ({ project_id, ...input }) =>
    service.contacts.write(accountId, { ...input, project_id: firstProject(instance, project_id) }),
  );
  await addEach("subscribers", seed.subscribers, (subscriber) => addSubscriber(instance, subscriber));
  await addEach("blogPosts", seed.blogPosts, async ({ project_id, ...input }) =>
    service.blogPosts.create(accountId, { ...input, project_id: firstProject(instance, project_id) }),
  );
  await addEach("webhooks", seed.webhooks, (webhook) => addWebhook(instance, webhook));
  await addEach("events", seed.events, (event) => publishSample(instance, event));
}

/** An error of the service names the row. */
async function addEach<Row>(
  list: keyof Seed,
  rows: readonly Row[] = [],
  add: (row: Row) => Promise<unknown>,
): Promise<void> {
  for (const [index, row] of rows.entries()) {
    try {
      await add(row);
    } catch (error) {
      if (!isHookwrightError(error)) throw error;
      const { code, status, message } = error;
      throw new HookwrightError(code, `${list}.${index}: ${message}`, { status, cause: error });
    }
  }
}

async function addSubscriber(
  instance: Instance,
  { project_id, email, list_ids = [], ...input }: SeedSubscriber,
): Promise<void> {
  const { accountId, service } = instance;
  const projectId = firstProject(instance, project_id);
  await service.subscribers.put(projectId, email, input);
  for (const list_id of list_ids)
    await service.subscribers.subscribe(accountId, { project_id: projectId, email, list_id });
  // Subscribing makes it active again.
  if (list_ids.length > 0) await service.subscribers.put(projectId, email, input);
}

/** For the same events and URL, changes the existing webhook. */
async function addWebhook(
  instance: Instance,
  { status, signing_secret, ...input }: SeedWebhook,
): Promise<void> {
  const { accountId, service } = instance;
  const { webhook } = await service.webhooks.create({ accountId, credential: { type: "console" } }, input);
  await changeWebhook(instance, webhook.id, { status, signing_secret });
}
