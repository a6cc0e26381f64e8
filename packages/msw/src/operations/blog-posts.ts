import type { Operation } from "../routing/operation.ts";
import { createBlogPost } from "../rules/create-blog-post.ts";

export const blogPostOperations: readonly Operation[] = [
  {
    name: "POST /v1/blog-posts",
    operationId: "createBlogPost",
    changes: true,
    hasBody: true,
    handle: ({ world, body }) => ({ data: createBlogPost(world, body), created: true }),
  },
];
