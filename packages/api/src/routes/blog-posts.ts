import { blogPostInputSchema, blogPostSchema } from "@hookwright/domain";
import { success } from "../response/api-response.ts";
import { defineAccountRoute } from "../routing/define-route.ts";

export const blogPostRoutes = [
  defineAccountRoute("POST", "/v1/blog-posts", {
    operationId: "createBlogPost",
    summary: "Create a blog post draft",
    description:
      "The post is always a draft. If `slug` is left out, it is derived from the title. A slug that the site already uses gets `-2`, `-3` and so on.",
    right: "write",
    reads: "few",
    body: { schema: blogPostInputSchema },
    answers: { 201: blogPostSchema },
    refusals: ["plan_limit_reached"],
    handle: async ({ service, caller, body }) =>
      success(await service.blogPosts.create(caller.accountId, body), { created: true }),
  }),
];
