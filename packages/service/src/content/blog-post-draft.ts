import {
  beginningOf,
  blogPostInputSchema,
  findProblems,
  HookwrightError,
  joinTags,
  withoutEmpty,
} from "@hookwright/domain";
import type { BlogPost } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import slugify from "@sindresorhus/slugify";
import { expectOfProject } from "../lookups/find-project.ts";

/** The validated input of a client. Omitted text fields are null. */
export type BlogPostDraft = Omit<BlogPost, "id" | "slug" | "created_at" | "updated_at">;

/**
 * Validates a draft. Its site must belong to the account.
 *
 * @param own only this site exists. Undefined: all sites of the account
 * @throws HookwrightError `validation_failed`
 */
export async function readDraft(
  store: Store,
  accountId: string,
  body: unknown,
  own: string | undefined,
): Promise<{ readonly draft: BlogPostDraft; readonly slug: string }> {
  const sent = withoutEmpty(body);
  const parsed = findProblems(blogPostInputSchema, sent);
  const input = await expectOfProject(store, accountId, { sent, parsed, own });
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

/** A slug may have 200 characters. The rest is for the suffix `-2`, `-3` … */
const maximumBaseLength = 190;

/** The slug of a title. It is `post` if the title has no letters with a counterpart in ASCII. */
export function slugOf(title: string): string {
  if (!/\p{L}/u.test(title)) return "post";
  const slug = slugify(title).slice(0, maximumBaseLength).replace(/-+$/u, "");
  return slug === "" ? "post" : slug;
}

/** The part of a slug before its number. */
export function slugBase(wanted: string): string {
  return beginningOf(wanted, maximumBaseLength);
}

/** Yields the slug itself, then the slug with the numbers from `first` on, without end. */
export function* slugCandidates(wanted: string, first = 2): Generator<string, never> {
  yield wanted;
  const base = slugBase(wanted);
  for (let number = first; ; number++) yield `${base}-${number}`;
}
