import { pageOf } from "../lists/page-of.ts";
import type { Operation } from "../routing/operation.ts";

export const projectOperations: readonly Operation[] = [
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
