import {
  accountInputSchema,
  emailListInputSchema,
  emailSchema,
  hostIdSchema,
  joinTags,
  mergePlan,
  normaliseEmail,
  parseInput,
  projectInputSchema,
  renderRecord,
  toTimestamp,
  validationFailed,
  withoutEmpty,
} from "@hookwright/domain";
import type { Row } from "../lists/row.ts";
import { MockError } from "../mock-error.ts";
import { createBlogPost } from "../rules/create-blog-post.ts";
import { createWebhook } from "../rules/create-webhook.ts";
import { writeContact } from "../rules/write-contact.ts";
import type { Seed, SeedEmailList, SeedProject, SeedSubscriber, SeedWebhook } from "../seed.ts";
import { changeWebhook } from "./change-webhook.ts";
import { expectProject } from "./expect-project.ts";
import { findSubscriber, readSubscriber } from "./find-person.ts";
import { publishSample } from "./publish-sample.ts";
import { recordKey, toRow } from "./world.ts";
import type { RecordRow, World } from "./world.ts";

/**
 * Adds to what is there, by the rules of the service.
 *
 * @throws HookwrightError `validation_failed` and what else the service refuses
 * @throws MockError `no_project`
 */
export function plantSeed(world: World, seed: Seed): void {
  if (seed.account !== undefined) changeAccount(world, seed.account);
  for (const project of seed.projects ?? []) addProject(world, project);
  for (const list of seed.emailLists ?? []) addEmailList(world, list);
  for (const email of seed.suppressions ?? [])
    world.suppressions.add(parseInput(emailSchema, email, { root: "suppressions" }));
  for (const domain of seed.throwawayDomains ?? []) world.throwawayDomains.add(domain.toLowerCase());
  for (const contact of seed.contacts ?? [])
    writeContact(world, { project_id: firstProject(world, contact), ...contact });
  for (const subscriber of seed.subscribers ?? []) addSubscriber(world, subscriber);
  for (const post of seed.blogPosts ?? [])
    createBlogPost(world, { project_id: firstProject(world, post), ...post });
  for (const webhook of seed.webhooks ?? []) addWebhook(world, webhook);
  for (const { event, data, project_id } of seed.events ?? [])
    publishSample(world, { event, data, projectId: firstProject(world, { project_id }) });
}

/** @throws MockError `no_project` */
export function firstProject(
  { projects }: World,
  { project_id: projectId }: { readonly project_id?: string | undefined },
): string {
  const chosen = projectId ?? [...projects.keys()][0];
  if (chosen !== undefined) return chosen;
  throw new MockError("no_project", "There is no site: give the seed one in `projects`.");
}

function changeAccount(world: World, { id, ...sent }: NonNullable<Seed["account"]>): void {
  const input = parseInput(accountInputSchema, withoutEmpty(sent));
  const before = world.account;
  world.account = {
    ...before,
    id: id === undefined ? before.id : parseInput(hostIdSchema, id, { root: "account.id" }),
    name: input.name ?? before.name,
    email: input.email ?? before.email,
    timezone: input.timezone ?? before.timezone,
    status: input.status ?? before.status,
    plan: mergePlan(before.plan, input.plan),
    demo: input.demo ?? before.demo,
  };
}

function addProject(world: World, { id: sentId, ...sent }: SeedProject): void {
  const id = parseInput(hostIdSchema, sentId, { root: "projects.id" });
  const { name, timezone } = parseInput(projectInputSchema, withoutEmpty(sent));
  const before = world.projects.get(id);
  const fresh = { id, name: id, timezone: world.account.timezone, created_at: toTimestamp(world.now()) };
  const value = { ...fresh, ...before?.value, ...(name && { name }), ...(timezone && { timezone }) };
  world.projects.set(id, { ...(before ?? toRow(world, value)), value });
}

function addEmailList(world: World, { id: sentId, ...sent }: SeedEmailList): void {
  const id = parseInput(hostIdSchema, sentId, { root: "emailLists.id" });
  const { name, project_id } = parseInput(emailListInputSchema, withoutEmpty(sent));
  const before = world.emailLists.get(id);
  const site = project_id ?? before?.value.project_id ?? firstProject(world, {});
  if (before !== undefined && before.value.project_id !== site)
    throw validationFailed(["project_id: the list belongs to another site, and a list cannot be moved"]);
  const fresh = {
    id,
    project_id: expectProject(world, site).id,
    name: id,
    created_at: toTimestamp(world.now()),
  };
  const value = { ...fresh, ...before?.value, ...(name && { name }) };
  world.emailLists.set(id, { ...(before ?? toRow(world, value)), value });
}

/** As the host's own write: published under no event, and not counted toward the month; a name and a status replace. */
function addSubscriber(world: World, sent: SeedSubscriber): void {
  const { project_id, list_ids = [], tags, ...fields } = sent;
  const projectId = expectProject(world, firstProject(world, { project_id })).id;
  const known = findSubscriber(world, projectId, normaliseEmail(sent.email));
  const before = known === undefined ? undefined : readSubscriber(known);
  const value = renderRecord("subscriber.created", {
    id: world.newId("sub"),
    status: "active",
    created_at: toTimestamp(world.now()),
    ...before,
    ...fields,
    tags: joinTags(before?.tags ?? [], tags),
  });
  const fresh: Omit<RecordRow, keyof Row<unknown>> = {
    kind: "subscribers",
    projectId,
    events: [],
    listIds: [],
  };
  const row: RecordRow = { ...(known ?? { ...toRow(world, value), ...fresh }), value };
  const listIds = [...new Set([...row.listIds, ...list_ids])];
  world.records.set(recordKey("subscribers", row.id), { ...row, listIds });
}

function addWebhook(world: World, { signing_secret: signingSecret, ...sent }: SeedWebhook): void {
  const { row } = createWebhook(world, sent, { apiKey: undefined, signingSecret });
  changeWebhook(world, row.id, sent);
}
