import { pageOf } from "../lists/page-of.ts";
import type { Operation } from "../routing/operation.ts";
import { expectProject } from "../state/expect-project.ts";

export const emailListOperations: readonly Operation[] = [
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
