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
  for (const { id, ...input } of seed.projects ?? []) {
    const { project } = await service.projects.put(id, { ...input, account_id: accountId });
    projects.set(id, project);
  }
  for (const { id, ...input } of seed.emailLists ?? []) {
    const site = input.project_id ?? emailLists.get(id)?.project_id;
    const { emailList } = await service.emailLists.put(id, {
      ...input,
      project_id: firstProject(instance, site),
    });
    emailLists.set(id, emailList);
  }
  for (const email of seed.suppressions ?? []) await service.suppressions.put(email, { reason: "bounced" });
  for (const contact of seed.contacts ?? [])
    await service.contacts.write(accountId, {
      ...contact,
      project_id: firstProject(instance, contact.project_id),
    });
  for (const subscriber of seed.subscribers ?? []) await addSubscriber(instance, subscriber);
  for (const post of seed.blogPosts ?? [])
    await service.blogPosts.create(accountId, {
      ...post,
      project_id: firstProject(instance, post.project_id),
    });
  for (const webhook of seed.webhooks ?? []) await addWebhook(instance, webhook);
  for (const event of seed.events ?? []) await publishSample(instance, event);
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

/** For the same event and URL, changes the existing webhook. */
async function addWebhook(
  instance: Instance,
  { status, signing_secret, ...input }: SeedWebhook,
): Promise<void> {
  const { accountId, service } = instance;
  const { webhook } = await service.webhooks.create({ accountId, credential: { type: "console" } }, input);
  await changeWebhook(instance, webhook.id, { status, signing_secret });
}
