import slugify from "@sindresorhus/slugify";
import {
  blogPostInputSchema,
  fitsLimit,
  HookwrightError,
  joinTags,
  parseInput,
  toTimestamp,
  withoutEmpty,
} from "@hookwright/domain";
import type { BlogPost } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { parseAccountRow } from "../accounts/account-row.ts";
import { expectProject } from "../accounts/projects.ts";
import type { ServiceContext } from "../context.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { keys } from "../store/keys.ts";
import type { BlogPostUseCases } from "../use-cases.ts";

/** Room for `-2`, `-3` … within the 200 characters a slug may have. */
const longestSlugBase = 190;
const slugsTriedTogether = 50;

/** Blog post drafts (specification §4, rule 3). Nothing is published here, and `content` is kept as it was sent. */
export function createBlogPosts({ store, now, newId }: ServiceContext): BlogPostUseCases {
  return {
    async create(accountId, body) {
      const input = parseInput(blogPostInputSchema, withoutEmpty(body));
      const { project_id: projectId } = input;
      await expectProject(store, accountId, projectId);
      const countKey = keys.blogPostCount(accountId, projectId);
      return commitUntilDone(store, countKey[0], async () => {
        const [account, count] = await store.getMany([keys.account(accountId), countKey]);
        const limit = account === undefined ? null : parseAccountRow(account).plan.blog_posts_per_site;
        if (!fitsLimit(limit, Number(count ?? 0))) {
          throw new HookwrightError(
            "plan_limit_reached",
            "The site has as many blog posts as the plan allows.",
          );
        }
        const slug = await freeSlug(store, accountId, projectId, input.slug ?? slugOf(input.title));
        const createdAt = toTimestamp(now());
        const post: BlogPost = {
          id: newId("post"),
          project_id: projectId,
          title: input.title,
          content: input.content ?? null,
          excerpt: input.excerpt ?? null,
          tags: [...joinTags([], input.tags)],
          slug,
          meta_title: input.meta_title ?? null,
          meta_description: input.meta_description ?? null,
          featured_image: input.featured_image ?? null,
          status: "draft",
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

/** A title without letters gives `post`, and so do letters that have no counterpart in ASCII. */
function slugOf(title: string): string {
  if (!/\p{L}/u.test(title)) return "post";
  const slug = slugify(title).slice(0, longestSlugBase).replace(/-+$/u, "");
  return slug === "" ? "post" : slug;
}

/** The slug itself, or with the lowest number that is free: `-2`, `-3` … */
async function freeSlug(store: Store, accountId: string, projectId: string, wanted: string): Promise<string> {
  const base = wanted.slice(0, longestSlugBase);
  for (let first = 1; ; first += slugsTriedTogether) {
    const candidates = Array.from({ length: slugsTriedTogether }, (_, index) =>
      first + index === 1 ? wanted : `${base}-${first + index}`,
    );
    const taken = await store.getMany(
      candidates.map((slug) => keys.blogPostSlug(accountId, projectId, slug)),
    );
    const free = candidates.find((_, index) => taken[index] === undefined);
    if (free !== undefined) return free;
  }
}
