import { z } from "zod";
import { blogPostSchema } from "../resources/blog-post.ts";
import type { BlogPost } from "../resources/blog-post.ts";
import { findProblems } from "../validation.ts";
import type { Parsed } from "../validation.ts";
import { keptIdSchema, keptTagsSchema, keptText, keptTimeSchema } from "./kept-fields.ts";

/** A blog post draft in a host's own database. Unset fields may be null or omitted. */
export interface KeptBlogPost {
  /** 1 to 128 characters of `A-Za-z0-9_.:-`. A number is converted to text. */
  readonly id: string | number | bigint;
  readonly project_id: string | number | bigint;
  readonly title: string;
  readonly content?: string | null | undefined;
  readonly excerpt?: string | null | undefined;
  readonly tags?: readonly string[] | null | undefined;
  readonly slug: string;
  readonly meta_title?: string | null | undefined;
  readonly meta_description?: string | null | undefined;
  readonly featured_image?: string | null | undefined;
  readonly created_at: string | Date;
  readonly updated_at: string | Date;
}

const { shape } = blogPostSchema;

const keptBlogPostSchema = blogPostSchema.extend({
  id: keptIdSchema,
  project_id: keptIdSchema,
  content: keptText(shape.content.unwrap()),
  excerpt: keptText(shape.excerpt.unwrap()),
  tags: keptTagsSchema,
  slug: shape.slug.refine((slug) => slug.trim() !== "", "must not be blank"),
  meta_title: keptText(shape.meta_title.unwrap()),
  meta_description: keptText(shape.meta_description.unwrap()),
  featured_image: keptText(shape.featured_image.unwrap()),
  // Always a draft, because the API publishes nothing.
  status: z.unknown().transform(() => "draft" as const),
  created_at: keptTimeSchema,
  updated_at: keptTimeSchema,
});

/** Returns the draft in its wire format, or all its problems. */
export function findKeptBlogPostProblems(kept: unknown): Parsed<BlogPost> {
  return findProblems(keptBlogPostSchema, kept, { root: "post" });
}
