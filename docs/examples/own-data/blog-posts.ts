import type { BlogPostRepository } from "hookwright";
import { database, inTransaction } from "./database.ts";

const count = database.prepare("SELECT count(*) AS posts FROM posts WHERE site = ?");
const bySlug = database.prepare("SELECT 1 FROM posts WHERE site = ? AND slug = ?");
const save = database.prepare("INSERT INTO posts (site, slug, post) VALUES (?, ?, ?)");

export const blogPosts: BlogPostRepository = {
  create(_account, draft, { slugs, limit }) {
    return inTransaction(() => {
      const { project_id: site } = draft;
      if (limit !== null && Number(count.get(site)?.["posts"]) >= limit) return "plan_limit_reached";
      let slug = "";
      for (slug of slugs) if (bySlug.get(site, slug) === undefined) break;
      const now = new Date().toISOString();
      const post = { ...draft, slug, created_at: now, updated_at: now };
      const { lastInsertRowid } = save.run(site, slug, JSON.stringify(post));
      return { ...post, id: String(lastInsertRowid) };
    });
  },
};
