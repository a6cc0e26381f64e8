import { z } from "zod";
import { hostIdSchema } from "../ids.ts";
import { answeredNullableText, answeredText, tagList, text } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import { projectReference } from "./fields.ts";

const title = { max: 500, description: "Title.", example: "Opening hours in winter" };
const content = {
  max: 2_000_000,
  description: "HTML, stored unchanged. Sanitise it before you show it.",
  example: "<p>We open at nine.</p>",
};
const excerpt = { max: 5_000, description: "Short summary.", example: "We open at nine." };
const slug = {
  max: 200,
  description: "Last part of the post's address.",
  example: "opening-hours-in-winter",
};
const metaTitle = { max: 500, description: "Title for search engines.", example: "Winter hours" };
const metaDescription = {
  max: 2_000,
  description: "Description for search engines.",
  example: "We open at nine.",
};
const imageUrl = {
  description: "URL of an image, http or https.",
  example: "https://example.com/winter.jpg",
};
const featuredImage = z
  .string()
  .refine(isWebUrl, "must be an http or https URL of at most 2048 characters")
  .meta({ ...imageUrl, format: "uri", maxLength: 2_048 });

export const blogPostSchema = z
  .object({
    id: answeredText({ description: "Id of the post.", example: "post_019a9c3f5b2e7c41a0f39d1e6b7c8d21" }),
    project_id: hostIdSchema,
    title: answeredText(title),
    content: answeredNullableText(content),
    excerpt: answeredNullableText(excerpt),
    tags: z.array(z.string()).meta({ description: "Tags.", example: ["news"] }),
    slug: answeredText(slug),
    meta_title: answeredNullableText(metaTitle),
    meta_description: answeredNullableText(metaDescription),
    featured_image: featuredImage.nullable().meta(imageUrl),
    status: z
      .literal("draft")
      .meta({ description: "Always `draft`, because the API publishes nothing.", example: "draft" }),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  })
  .meta({ description: "A blog post draft. Unset text is null." });
export type BlogPost = z.output<typeof blogPostSchema>;

/** `POST /v1/blog-posts`. */
export const blogPostInputSchema = z
  .object({
    project_id: projectReference,
    title: text(title),
    content: text(content).optional(),
    excerpt: text(excerpt).optional(),
    tags: tagList("Tags.").optional(),
    slug: text(slug).optional(),
    meta_title: text(metaTitle).optional(),
    meta_description: text(metaDescription).optional(),
    featured_image: featuredImage.optional(),
  })
  .meta({ description: "The draft to create." });
export type BlogPostInput = z.output<typeof blogPostInputSchema>;

function isWebUrl(url: string): boolean {
  return url.length <= 2_048 && url.isWellFormed() && /^https?:\/\//i.test(url) && URL.canParse(url);
}
