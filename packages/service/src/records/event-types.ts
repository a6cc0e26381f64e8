import {
  eventCatalogue,
  eventTypes,
  HookwrightError,
  isEventName,
  unknownEventProblem,
} from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { renderBody } from "../deliveries/render-body.ts";
import { expectProject } from "../lookups/find-project.ts";
import { keys } from "../rows/keys.ts";
import { parseProjectRow } from "../rows/project-row.ts";
import { parseRecordRow } from "../rows/record-row.ts";
import { readMergedIndex } from "../store/merged-index.ts";
import type { EventTypeUseCases } from "../use-cases.ts";

/** The events of the catalogue, with samples of their records (specification §4). */
export function createEventTypes({ store }: Pick<ServiceContext, "store">): EventTypeUseCases {
  return {
    list: () => eventTypes,

    async samples(accountId, event, { project_id: projectId, limit }) {
      if (!isEventName(event))
        throw new HookwrightError("unknown_event", `type: ${unknownEventProblem(event)}`);
      if (projectId !== undefined) await expectProject(store, accountId, projectId);
      const positions = await readMergedIndex(store, {
        prefixes: [keys.recordList(accountId, event)],
        dimensions: [projectId, undefined],
        limit,
      });
      const texts = await store.getMany(
        positions.map(({ id }) => keys.record(accountId, eventCatalogue[event].kind, id)),
      );
      const records = positions.flatMap(({ id }, index) => {
        const text = texts[index];
        return text === undefined ? [] : [{ id, ...parseRecordRow(text) }];
      });
      const projects = await store.getMany(
        records.map(({ head }) => keys.project(accountId, head.project_id)),
      );
      return records.flatMap(({ id, json }, index) => {
        const project = projects[index];
        if (project === undefined) return [];
        return [{ json: renderBody({ event, recordId: id, project: parseProjectRow(project), json }) }];
      });
    },
  };
}
