import { emailSchema, parseInput } from "@hookwright/domain";
import { createBlogPost } from "../rules/create-blog-post.ts";
import { writeContact } from "../rules/write-contact.ts";
import type { Seed } from "../seed.ts";
import { firstProject } from "../state/first-project.ts";
import { publishSample } from "../state/publish-sample.ts";
import { copyWorld } from "../state/world.ts";
import type { World } from "../state/world.ts";
import { addEmailList } from "./add-email-list.ts";
import { addProject } from "./add-project.ts";
import { addSubscriber } from "./add-subscriber.ts";
import { addWebhook } from "./add-webhook.ts";
import { changeAccount } from "./change-account.ts";
import { checkSeed } from "./check-seed.ts";
import { parseThrowawayDomain } from "./parse-throwaway-domain.ts";

/**
 * What is there with the seed added by the rules of the service. The world itself stays, so a seed that is refused changes nothing.
 *
 * @throws HookwrightError `validation_failed` and what else the service refuses
 * @throws MockError `invalid_seed`, `no_project`
 */
export function plantSeed(before: World, seed: Seed): World {
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
