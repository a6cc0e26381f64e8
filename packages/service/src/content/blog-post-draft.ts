import {
  blogPostInputSchema,
  findProblems,
  HookwrightError,
  joinTags,
  withoutEmpty,
} from "@hookwright/domain";
import type { BlogPost } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { expectOfProject } from "../lookups/find-project.ts";
import { slugOf } from "./slugs.ts";

/** The validated input of a client. Omitted text fields are null. */
export type BlogPostDraft = Omit<BlogPost, "id" | "slug" | "created_at" | "updated_at">;

/**
 * Validates a draft. Its site must belong to the account.
 *
 * @throws HookwrightError `validation_failed`
 */
export async function readDraft(
  store: Store,
  accountId: string,
  body: unknown,
): Promise<{ readonly draft: BlogPostDraft; readonly slug: string }> {
  const sent = withoutEmpty(body);
  const parsed = findProblems(blogPostInputSchema, sent);
  const input = await expectOfProject(store, accountId, { sent, parsed });
  return {
    draft: {
      project_id: input.project_id,
      title: input.title,
      content: input.content ?? null,
      excerpt: input.excerpt ?? null,
      tags: [...joinTags([], input.tags)],
      meta_title: input.meta_title ?? null,
      meta_description: input.meta_description ?? null,
      featured_image: input.featured_image ?? null,
      status: "draft",
    },
    slug: input.slug ?? slugOf(input.title),
  };
}

export function blogPostLimitReached(): HookwrightError {
  return new HookwrightError("plan_limit_reached", "The site has as many blog posts as the plan allows.");
}
