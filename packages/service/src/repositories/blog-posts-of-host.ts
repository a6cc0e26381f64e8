import { findKeptBlogPostProblems, validationFailed } from "@hookwright/domain";
import { parseAccountRow } from "../rows/account-row.ts";
import { blogPostLimitReached, readDraft } from "../content/blog-post-draft.ts";
import { slugCandidates } from "../content/blog-post-draft.ts";
import type { ServiceContext } from "../context.ts";
import { keys } from "../rows/keys.ts";
import type { BlogPostUseCases } from "../use-cases.ts";
import { callRepository } from "./call-repository.ts";
import type { BlogPostRepository } from "./blog-post-repository.ts";
import { invalidAnswer } from "./read-kept.ts";

/** Blog post drafts (contract: People) that the host keeps. */
export function createBlogPostsOfHost(
  context: ServiceContext,
  repository: BlogPostRepository,
): BlogPostUseCases {
  const { store } = context;
  return {
    async create(accountId, body, own) {
      const { draft, slug } = await readDraft(store, accountId, body, own);
      const account = await store.get(keys.account(accountId));
      const limit = account === undefined ? null : parseAccountRow(account).plan.blog_posts_per_site;
      const name = "blogPosts.create";
      // Each iteration starts again, because a repeated transaction searches for a free slug again.
      const slugs = { [Symbol.iterator]: () => slugCandidates(slug) };
      const kept = await callRepository(context, name, (signal) =>
        repository.create(accountId, draft, { slugs, limit, signal }),
      );
      if (kept === "plan_limit_reached") throw blogPostLimitReached();
      const parsed = findKeptBlogPostProblems(kept);
      if (!parsed.ok) throw invalidAnswer(name, `invalid data: ${validationFailed(parsed.problems).message}`);
      if (parsed.data.project_id !== draft.project_id) throw invalidAnswer(name, "a post of another site");
      return parsed.data;
    },
  };
}
