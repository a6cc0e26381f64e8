import { fitsLimit, toTimestamp } from "@hookwright/domain";
import type { BlogPost } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { parseAccountRow } from "../rows/account-row.ts";
import type { ServiceContext } from "../context.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { keys } from "../rows/keys.ts";
import type { BlogPostUseCases } from "../use-cases.ts";
import { blogPostLimitReached, readDraft } from "./blog-post-draft.ts";
import { slugCandidates } from "./slugs.ts";

const slugsTriedTogether = 50;

/** Blog post drafts (specification §4, rule 3). Nothing is published here, and `content` is kept as it was sent. */
export function createBlogPosts({ store, now, newId }: ServiceContext): BlogPostUseCases {
  return {
    async create(accountId, body) {
      const { draft, slug: wanted } = await readDraft(store, accountId, body);
      const { project_id: projectId } = draft;
      const countKey = keys.blogPostCount(accountId, projectId);
      return commitUntilDone(store, countKey[0], async () => {
        const [account, count] = await store.getMany([keys.account(accountId), countKey]);
        const limit = account === undefined ? null : parseAccountRow(account).plan.blog_posts_per_site;
        if (!fitsLimit(limit, Number(count ?? 0))) throw blogPostLimitReached();
        const slug = await freeSlug(store, accountId, projectId, wanted);
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
            ],
          },
          result: post,
        };
      });
    },
  };
}

async function freeSlug(store: Store, accountId: string, projectId: string, wanted: string): Promise<string> {
  const candidates = slugCandidates(wanted);
  for (;;) {
    const tried = Array.from({ length: slugsTriedTogether }, () => candidates.next().value);
    const taken = await store.getMany(tried.map((slug) => keys.blogPostSlug(accountId, projectId, slug)));
    const free = tried.find((_, index) => taken[index] === undefined);
    if (free !== undefined) return free;
  }
}
