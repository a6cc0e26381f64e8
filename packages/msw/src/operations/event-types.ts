import {
  eventCatalogue,
  HookwrightError,
  isEventName,
  specificationEvents,
  unknownEventProblem,
} from "@hookwright/domain";
import { compareRows } from "../lists/row.ts";
import type { Operation } from "../routing/operation.ts";
import { expectProject } from "../state/expect-project.ts";
import { toBody } from "../state/publish-record.ts";

/** Both lists have only one page. */
const onePage = { has_more: false, next_cursor: null };

export const eventTypeOperations: readonly Operation[] = [
  {
    name: "GET /v1/event-types",
    operationId: "listEventTypes",
    handle: () => ({ data: specificationEvents.types, meta: onePage }),
  },
  {
    name: "GET /v1/event-types/{type}/samples",
    operationId: "listSamples",
    query: ["project_id", "limit"],
    limit: { maximum: 10, default: 10 },
    handle: ({ world, parameter: event, query: { limit, project_id: projectId } }) => {
      if (!isEventName(event))
        throw new HookwrightError("unknown_event", `type: ${unknownEventProblem(event)}`);
      if (projectId !== undefined) expectProject(world, projectId);
      const rows = [...world.records.values()].filter(
        (row) =>
          row.kind === eventCatalogue[event].kind &&
          row.snapshot.events.includes(event) &&
          (projectId === undefined || row.projectId === projectId),
      );
      const newest = rows.sort(compareRows).slice(0, limit);
      const data = newest.map((row) => toBody(event, expectProject(world, row.projectId), row.value));
      return { data, meta: onePage };
    },
  },
];
