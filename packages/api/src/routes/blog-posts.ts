import { blogPostInputSchema, blogPostSchema } from "@hookwright/domain";
import { success } from "../answer/answer.ts";
import { noQuery } from "../request/query-parameters.ts";
import { defineAccountRoute } from "../routing/define-route.ts";

export const blogPostRoutes = [
  defineAccountRoute({
    method: "POST",
    path: "/v1/blog-posts",
    operationId: "createBlogPost",
    summary: "Create a blog post draft",
    description:
      "Always a draft. A `slug` that is left out is made of the title; one that is taken on the site gets `-2`, `-3` and so on.",
    changes: true,
    query: noQuery,
    body: { schema: blogPostInputSchema },
    answers: { 201: blogPostSchema },
    refusals: ["plan_limit_reached"],
    handle: async ({ service, caller, body }) =>
      success(await service.blogPosts.create(caller.accountId, body), { created: true }),
  }),
];
