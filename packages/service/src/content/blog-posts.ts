import { fitsLimit, toTimestamp } from "@hookwright/domain";
import type { BlogPost } from "@hookwright/domain";
import type { Mutation, Store } from "@hookwright/storage";
import { parseAccountRow } from "../rows/account-row.ts";
import type { ServiceContext } from "../context.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { keys } from "../rows/keys.ts";
import type { BlogPostUseCases } from "../use-cases.ts";
import { blogPostLimitReached, readDraft } from "./blog-post-draft.ts";
import { slugBase, slugCandidates } from "./blog-post-draft.ts";

const slugBatchSize = 50;

/** Blog post drafts (contract: People). Hookwright does not publish them and does not change `content`. */
export function createBlogPosts({ store, now, newId }: ServiceContext): BlogPostUseCases {
  return {
    async create(accountId, body, own) {
      const { draft, slug: wanted } = await readDraft(store, accountId, body, own);
      const { project_id: projectId } = draft;
      const countKey = keys.blogPostCount(accountId, projectId);
      const takenKey = keys.blogPostSlugsTaken(accountId, projectId, slugBase(wanted));
      return commitUntilDone(store, countKey[0], async () => {
        const [account, count, takenTo] = await store.getMany([keys.account(accountId), countKey, takenKey]);
        const limit = account === undefined ? null : parseAccountRow(account).plan.blog_posts_per_site;
        if (!fitsLimit(limit, Number(count ?? 0))) throw blogPostLimitReached();
        const first = Number(takenTo ?? 1) + 1;
        const { slug, tried } = await freeSlug(store, accountId, projectId, slugCandidates(wanted, first));
        // Remember the number, so that the next post with this title skips the taken slugs.
        const taken: Mutation[] =
          tried > slugBatchSize ? [{ type: "set", key: takenKey, value: String(first + tried - 2) }] : [];
        const createdAt = toTimestamp(now());
        const { project_id, title, content, excerpt, tags, ...rest } = draft;
        const post: BlogPost = {
          id: newId("post"),
          project_id,
          title,
          content,
          excerpt,
          tags,
          slug,
          ...rest,
          created_at: createdAt,
          updated_at: createdAt,
        };
        const slugKey = keys.blogPostSlug(accountId, projectId, slug);
        return {
          commit: {
            checks: [
              { key: countKey, value: count },
              { key: slugKey, value: undefined },
            ],
            mutations: [
              { type: "set", key: keys.blogPost(accountId, post.id), value: JSON.stringify(post) },
              { type: "set", key: slugKey, value: post.id },
              { type: "sum", key: countKey, amount: 1 },
              ...taken,
            ],
          },
          result: post,
        };
      });
    },
  };
}

/** Finds the first free slug. `tried` is the number of candidates up to and including it. */
async function freeSlug(
  store: Store,
  accountId: string,
  projectId: string,
  candidates: Generator<string, never>,
): Promise<{ readonly slug: string; readonly tried: number }> {
  for (let before = 0; ; before += slugBatchSize) {
    const batch = Array.from({ length: slugBatchSize }, () => candidates.next().value);
    const taken = await store.getMany(batch.map((slug) => keys.blogPostSlug(accountId, projectId, slug)));
    const free = taken.indexOf(undefined);
    const slug = batch[free];
    if (slug !== undefined) return { slug, tried: before + free + 1 };
  }
}
