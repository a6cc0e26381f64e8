import type { OwnEvents } from "@hookwright/domain";
import {
  emailSchema,
  hostIdSchema,
  isEmailAddress,
  normaliseEmail,
  parseInput,
  projectInputSchema,
  toTimestamp,
  validationFailed,
  withoutEmpty,
} from "@hookwright/domain";
import { createBlogPost } from "../rules/create-blog-post.ts";
import { createWebhook } from "../rules/create-webhook.ts";
import { writeContact } from "../rules/write-contact.ts";
import type { Seed, SeedProject, SeedWebhook } from "../seed.ts";
import { changeWebhook } from "../state/change-webhook.ts";
import { firstProject } from "../state/first-project.ts";
import { publishSample } from "../state/publish-sample.ts";
import { copyWorld, toRow } from "../state/world.ts";
import type { World } from "../state/world.ts";
import { addEmailList } from "./add-email-list.ts";
import { addSubscriber } from "./add-subscriber.ts";
import { changeAccount } from "./change-account.ts";
import { checkSeed } from "./check-seed.ts";

/**
 * Returns a copy of the state with the seed added by the rules of the service. A rejected seed changes
 * nothing.
 *
 * @throws HookwrightError `validation_failed` and other errors of the service
 * @throws MockError `invalid_seed`, `no_project`
 */
export function applySeed<Own extends OwnEvents>(before: World, seed: Seed<Own>): World {
  checkSeed(seed);
  const world = copyWorld(before);
  if (seed.account !== undefined) changeAccount(world, seed.account);
  for (const project of seed.projects ?? []) addProject(world, project);
  for (const list of seed.emailLists ?? []) addEmailList(world, list);
  for (const email of seed.suppressions ?? [])
    world.suppressions.add(parseInput(emailSchema, email, { root: "suppressions" }));
  for (const domain of seed.throwawayDomains ?? []) world.throwawayDomains.add(parseThrowawayDomain(domain));
  for (const contact of seed.contacts ?? [])
    writeContact(world, { ...contact, project_id: firstProject(world, contact.project_id) });
  for (const subscriber of seed.subscribers ?? []) addSubscriber(world, subscriber);
  for (const post of seed.blogPosts ?? [])
    createBlogPost(world, { ...post, project_id: firstProject(world, post.project_id) });
  for (const webhook of seed.webhooks ?? []) addWebhook(world, webhook);
  for (const { event, data, project_id: projectId } of seed.events ?? [])
    publishSample(world, { event, data, projectId: firstProject(world, projectId) });
  return world;
}

/** @throws HookwrightError `validation_failed` */
function addProject(world: World, { id: sentId, ...sent }: SeedProject): void {
  const id = parseInput(hostIdSchema, sentId, { root: "projects.id" });
  const { name, timezone } = parseInput(projectInputSchema, withoutEmpty(sent));
  const before = world.projects.get(id);
  const fresh = { id, name: id, timezone: world.account.timezone, created_at: toTimestamp(world.now()) };
  const value = { ...fresh, ...before?.value, ...(name && { name }), ...(timezone && { timezone }) };
  world.projects.set(id, { ...(before ?? toRow(world, value)), value });
}

/**
 * Adds a webhook. For the same event and URL, changes the existing one and its secret.
 *
 * @throws HookwrightError `validation_failed`, `unknown_event`, `invalid_target_url`, `invalid_project`, `webhook_limit_reached`
 */
function addWebhook(world: World, { signing_secret: sentSecret, ...sent }: SeedWebhook): void {
  const signingSecret = sentSecret?.trim() ? sentSecret : undefined;
  const { row } = createWebhook(world, sent, { apiKey: undefined, signingSecret });
  if (signingSecret !== undefined) world.webhooks.set(row.id, { ...row, signingSecret });
  changeWebhook(world, row.id, sent);
}

/**
 * Normalises a throwaway domain: `@Mailinator.com` becomes `mailinator.com`.
 *
 * @throws HookwrightError `validation_failed`
 */
function parseThrowawayDomain(text: string): string {
  const domain = normaliseEmail(text).replace(/^@/, "");
  if (isEmailAddress(`somebody@${domain}`)) return domain;
  throw validationFailed(["throwawayDomains: must be domains, such as mailinator.com"]);
}
