import type { KeptBlogPost } from "@hookwright/domain";
import type { BlogPostDraft } from "../content/blog-post-draft.ts";
import type { Awaitable, RepositoryCall } from "./repository.ts";

export interface BlogPostRules {
  /** `opening-hours`, `opening-hours-2`, `opening-hours-3` … without end: the first that is free on the site is the draft's. */
  readonly slugs: Iterable<string>;
  /** As many posts as the plan allows the site, drafts included; null for no limit. */
  readonly limit: number | null;
}

/**
 * Blog posts in your own database: where drafts go that others create through the API.
 *
 * The function may answer at once or with a promise, and is waited for 4.5 s. A `HookwrightError` that it throws goes to the client as it
 * is; anything else is a fault: it is logged, and the client is told 500, or 503 for a `RepositoryError` that says `unavailable`.
 */
export interface BlogPostRepository {
  /**
   * Stores a draft, in one transaction with the look at its site's other posts.
   *
   * @returns the draft as it is stored, or `plan_limit_reached` where the site has as many posts as it may have
   */
  create(
    accountId: string,
    draft: BlogPostDraft,
    rules: BlogPostRules & RepositoryCall,
  ): Awaitable<KeptBlogPost | "plan_limit_reached">;
}
