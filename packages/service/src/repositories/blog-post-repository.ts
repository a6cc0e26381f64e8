import type { KeptBlogPost } from "@hookwright/domain";
import type { BlogPostDraft } from "../content/blog-post-draft.ts";
import type { Awaitable, RepositoryCall } from "./repository.ts";

export interface BlogPostRules {
  /** `opening-hours`, `opening-hours-2`, `opening-hours-3` … without end. Use the first slug that is free on the site. */
  readonly slugs: Iterable<string>;
  /** The maximum number of posts on the site, drafts included. Null for no limit. */
  readonly limit: number | null;
}

/**
 * Stores blog posts in your own database. API clients create drafts.
 *
 * The function may return a value or a promise. It has 4.5 s. The client receives a `HookwrightError` that it throws unchanged. Any other
 * error is logged, and the client gets 500, or 503 for a `RepositoryError` with the code `unavailable`.
 */
export interface BlogPostRepository {
  /**
   * Stores a draft. Check the slug and the limit in the same transaction.
   *
   * @returns the stored draft, or `plan_limit_reached` if the site already has `limit` posts
   */
  create(
    accountId: string,
    draft: BlogPostDraft,
    rules: BlogPostRules & RepositoryCall,
  ): Awaitable<KeptBlogPost | "plan_limit_reached">;
}
