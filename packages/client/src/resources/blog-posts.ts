import type { BlogPost, BlogPostInput as WireBody, InputBody } from "@hookwright/domain";
import { readData } from "../http/read-envelope.ts";
import { operations } from "../operations.ts";
import type { CallOptions } from "../options.ts";
import type { Send } from "../send.ts";

export type BlogPostInput = InputBody<WireBody>;

export interface BlogPosts {
  /**
   * Creates a draft without publishing it. Only `rate_limited` is retried, because other retries could create
   * a second draft.
   *
   * @throws ClientError `validation_failed`, `plan_limit_reached`
   */
  create(body: BlogPostInput, options?: CallOptions): Promise<BlogPost>;
}

export function createBlogPosts(send: Send): BlogPosts {
  return {
    create: async (body, options = {}) =>
      readData<BlogPost>(await send(operations.createBlogPost, { ...options, body })),
  };
}
