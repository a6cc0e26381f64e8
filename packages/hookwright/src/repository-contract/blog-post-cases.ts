import { deepEqual, equal, rejects } from "node:assert/strict";
import { repositoryCase } from "./contract-case.ts";
import type { RepositoryContractCase } from "./contract-case.ts";

export const blogPostCases: readonly RepositoryContractCase[] = [
  repositoryCase("blogPosts", "a draft is returned as it was sent", async (shop) => {
    const { hookwright, accountId, sites } = shop;
    const sent = {
      project_id: sites[0],
      title: "Opening hours in winter",
      content: "<p>We open at nine.</p>",
      excerpt: "We open at nine.",
      tags: ["news"],
      meta_title: "Winter hours",
      meta_description: "We open at nine.",
      featured_image: "https://example.com/winter.jpg",
    };
    const { id: _, created_at, updated_at, ...post } = await hookwright.blogPosts.create(accountId, sent);
    deepEqual(post, { ...sent, slug: "opening-hours-in-winter", status: "draft" });
    equal(created_at, updated_at, "created and updated");
  }),

  repositoryCase(
    "blogPosts",
    "each draft of a site has a unique slug, even if drafts are created concurrently",
    async (shop) => {
      const { hookwright, accountId, sites } = shop;
      const posts = await Promise.all(
        Array.from({ length: 5 }, () =>
          hookwright.blogPosts.create(accountId, { project_id: sites[0], title: "Winter" }),
        ),
      );
      const slugs = ["winter", "winter-2", "winter-3", "winter-4", "winter-5"];
      deepEqual(posts.map(({ slug }) => slug).toSorted(), slugs);
      equal(new Set(posts.map(({ id }) => id)).size, 5, "ids");
      const elsewhere = await hookwright.blogPosts.create(accountId, {
        project_id: sites[1],
        title: "Winter",
      });
      equal(elsewhere.slug, "winter", "the slug on another site");
    },
  ),

  repositoryCase(
    "blogPosts",
    "a site has at most as many drafts as its plan allows, even if drafts are created concurrently",
    async (shop) => {
      const { hookwright, accountId, sites } = shop;
      await hookwright.accounts.put(accountId, { plan: { blog_posts_per_site: 3 } });
      const made = await Promise.allSettled(
        Array.from({ length: 5 }, (_, index) =>
          hookwright.blogPosts.create(accountId, { project_id: sites[0], title: `Post ${index}` }),
        ),
      );
      equal(made.filter(({ status }) => status === "fulfilled").length, 3, "posts");
      const another = { project_id: sites[0], title: "Another" };
      await rejects(hookwright.blogPosts.create(accountId, another), { code: "plan_limit_reached" });
      await hookwright.blogPosts.create(accountId, { project_id: sites[1], title: "Elsewhere" });
    },
  ),
];
