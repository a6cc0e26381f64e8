import { z } from "zod";
import { blogPostSchema } from "../resources/blog-post.ts";
import type { BlogPost } from "../resources/blog-post.ts";
import { findProblems } from "../validation.ts";
import type { Parsed } from "../validation.ts";
import { keptIdSchema, keptTagsSchema, keptText, keptTimeSchema } from "./kept-fields.ts";

/** A blog post draft as a host keeps it in a database of its own. What is not set may be null, or left out. */
export interface KeptBlogPost {
  /** 1 to 128 characters of `A-Za-z0-9_.:-`. A number is read as its text. */
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
  // Whatever a host calls it: nothing that comes through the API is published.
  status: z.unknown().transform(() => "draft" as const),
  created_at: keptTimeSchema,
  updated_at: keptTimeSchema,
});

/** The draft in its wire form, or every problem of it. */
export function findKeptBlogPostProblems(kept: unknown): Parsed<BlogPost> {
  return findProblems(keptBlogPostSchema, kept, { root: "post" });
}
