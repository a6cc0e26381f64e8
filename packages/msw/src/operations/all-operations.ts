import { pageOf } from "../lists/page-of.ts";
import type { Operation } from "../routing/operation.ts";
import { createBlogPost } from "../rules/create-blog-post.ts";
import { subscribe } from "../rules/subscribe.ts";
import { expectProject } from "../state/expect-project.ts";
import { contactOperations } from "./contacts.ts";
import { eventTypeOperations } from "./event-types.ts";
import { openApiOperation } from "./openapi.ts";
import { orderOperations } from "./orders.ts";
import { webhookOperations } from "./webhooks.ts";

const accountOperations: readonly Operation[] = [
  {
    name: "GET /v1/me",
    operationId: "getAccount",
    handle: ({ world }) => {
      // Only the host API returns `status`.
      const { status: _, limits: _limits, retention: _retention, ...account } = world.account;
      return { data: account };
    },
  },
];

const blogPostOperations: readonly Operation[] = [
  {
    name: "POST /v1/blog-posts",
    operationId: "createBlogPost",
    changes: true,
    hasBody: true,
    handle: ({ world, body }) => ({ data: createBlogPost(world, body), created: true }),
  },
];

const emailListOperations: readonly Operation[] = [
  {
    name: "GET /v1/email-lists",
    operationId: "listEmailLists",
    query: ["limit", "cursor", "project_id"],
    handle: ({ world, query: { limit, cursor, project_id } }) => {
      if (project_id !== undefined) expectProject(world, project_id);
      const rows = [...world.emailLists.values()].filter(
        ({ value }) => project_id === undefined || value.project_id === project_id,
      );
      return pageOf(world.cursors, { list: "email-lists", filters: { project_id }, limit, cursor, rows });
    },
  },
];

const projectOperations: readonly Operation[] = [
  {
    name: "GET /v1/projects",
    operationId: "listProjects",
    query: ["limit", "cursor"],
    handle: ({ world, query: { limit, cursor } }) =>
      pageOf(world.cursors, {
        list: "projects",
        filters: {},
        limit,
        cursor,
        rows: [...world.projects.values()],
      }),
  },
];

const subscriberOperations: readonly Operation[] = [
  {
    name: "POST /v1/subscribers",
    operationId: "subscribe",
    changes: true,
    hasBody: true,
    handle: ({ world, body }) => {
      const { subscriber, created } = subscribe(world, body);
      return { data: subscriber, created };
    },
  },
];

const keyed: readonly Operation[] = [
  ...accountOperations,
  ...projectOperations,
  ...eventTypeOperations,
  ...webhookOperations,
  ...contactOperations,
  ...subscriberOperations,
  ...emailListOperations,
  ...blogPostOperations,
  ...orderOperations,
];

export const allOperations: readonly Operation[] = [...keyed, openApiOperation(keyed)];
