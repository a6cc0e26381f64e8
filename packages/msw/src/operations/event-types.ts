import { compareRows } from "../lists/row.ts";
import type { Operation } from "../routing/operation.ts";
import { expectProject } from "../state/expect-project.ts";
import { toBodyOfRow } from "../state/to-body.ts";

/** Both lists have only one page. */
const onePage = { has_more: false, next_cursor: null };

export const eventTypeOperations: readonly Operation[] = [
  {
    name: "GET /v1/event-types",
    operationId: "listEventTypes",
    handle: ({ world }) => ({ data: world.events.types, meta: onePage }),
  },
  {
    name: "GET /v1/event-types/{type}/samples",
    operationId: "listSamples",
    query: ["project_id", "limit"],
    limit: { maximum: 10, default: 10 },
    handle: ({ world, parameter: event, query: { limit, project_id: projectId } }) => {
      const { kind } = world.events.expect(event, "type");
      if (projectId !== undefined) expectProject(world, projectId);
      const rows = [...world.records.values()].filter(
        (row) =>
          row.kind === kind &&
          row.snapshot.events.includes(event) &&
          (projectId === undefined || row.projectId === projectId),
      );
      const newest = rows.sort(compareRows).slice(0, limit);
      const data = newest.map((row) => toBodyOfRow(event, expectProject(world, row.projectId), row));
      return { data, meta: onePage };
    },
  },
];
