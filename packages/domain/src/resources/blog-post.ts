import { z } from "zod";
import { hostIdSchema } from "../ids.ts";
import { answeredNullableText, answeredText, tagList, text } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import { projectReference } from "./fields.ts";

const title = text({ max: 500, description: "Title.", example: "Opening hours in winter" });
const content = text({
  max: 2_000_000,
  description: "HTML, stored unchanged. Sanitise it before you show it.",
  example: "<p>We open at nine.</p>",
});
const excerpt = text({ max: 5_000, description: "Short summary.", example: "We open at nine." });
const slug = text({
  max: 200,
  description: "Last part of the post's address.",
  example: "opening-hours-in-winter",
});
const metaTitle = text({ max: 500, description: "Title for search engines.", example: "Winter hours" });
const metaDescription = text({
  max: 2_000,
  description: "Description for search engines.",
  example: "We open at nine.",
});
const featuredImage = z
  .string()
  .refine(isWebUrl, "must be an http or https URL of at most 2048 characters")
  .meta({
    description: "URL of an image, http or https.",
    example: "https://example.com/winter.jpg",
    format: "uri",
    maxLength: 2_048,
  });

export const blogPostSchema = z
  .object({
    id: answeredText({ description: "Id of the post.", example: "post_019a9c3f5b2e7c41a0f39d1e6b7c8d21" }),
    project_id: hostIdSchema,
    title: answeredText({ description: "Title.", example: "Opening hours in winter" }),
    content: answeredNullableText({
      description: "HTML, unchanged, or null. Sanitise it before you show it.",
      example: "<p>We open at nine.</p>",
    }),
    excerpt: answeredNullableText({ description: "Short summary, or null.", example: "We open at nine." }),
    tags: z.array(z.string()).meta({ description: "Tags.", example: ["news"] }),
    slug: answeredText({
      description: "Last part of the post's address.",
      example: "opening-hours-in-winter",
    }),
    meta_title: answeredNullableText({
      description: "Title for search engines, or null.",
      example: "Winter hours",
    }),
    meta_description: answeredNullableText({
      description: "Description for search engines, or null.",
      example: "We open at nine.",
    }),
    featured_image: featuredImage
      .nullable()
      .meta({ description: "URL of an image, or null.", example: "https://example.com/winter.jpg" }),
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
    title,
    content: content.optional(),
    excerpt: excerpt.optional(),
    tags: tagList("Tags.").optional(),
    slug: slug.optional(),
    meta_title: metaTitle.optional(),
    meta_description: metaDescription.optional(),
    featured_image: featuredImage.optional(),
  })
  .meta({ description: "The draft to create." });
export type BlogPostInput = z.output<typeof blogPostInputSchema>;

function isWebUrl(url: string): boolean {
  return url.length <= 2_048 && url.isWellFormed() && /^https?:\/\//i.test(url) && URL.canParse(url);
}
