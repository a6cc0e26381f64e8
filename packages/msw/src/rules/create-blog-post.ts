import {
  blogPostInputSchema,
  findProblems,
  fitsLimit,
  HookwrightError,
  joinTags,
  toTimestamp,
  withoutEmpty,
} from "@hookwright/domain";
import type { BlogPost } from "@hookwright/domain";
import { expectOfProject } from "../state/expect-project.ts";
import { toRow } from "../state/world.ts";
import type { World } from "../state/world.ts";
import { freeSlug, toSlug } from "./to-slug.ts";

/** @throws HookwrightError `validation_failed`, `plan_limit_reached` */
export function createBlogPost(world: World, body: unknown): BlogPost {
  const sent = withoutEmpty(body);
  const input = expectOfProject(world, { sent, parsed: findProblems(blogPostInputSchema, sent) });
  const others = [...world.blogPosts.values()].filter(({ value }) => value.project_id === input.project_id);
  if (!fitsLimit(world.account.plan.blog_posts_per_site, others.length))
    throw new HookwrightError("plan_limit_reached", "The site has as many blog posts as the plan allows.");
  const taken = new Set(others.map(({ value }) => value.slug));
  const at = toTimestamp(world.now());
  const post: BlogPost = {
    id: world.newId("post"),
    project_id: input.project_id,
    title: input.title,
    content: input.content ?? null,
    excerpt: input.excerpt ?? null,
    tags: [...joinTags([], input.tags)],
    slug: freeSlug(input.slug ?? toSlug(input.title), taken),
    meta_title: input.meta_title ?? null,
    meta_description: input.meta_description ?? null,
    featured_image: input.featured_image ?? null,
    status: "draft",
    created_at: at,
    updated_at: at,
  };
  world.blogPosts.set(post.id, toRow(world, post));
  return post;
}
