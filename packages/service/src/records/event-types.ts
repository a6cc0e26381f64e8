import { eventCatalogue, eventTypes, HookwrightError, isEventName } from "@hookwright/domain";
import { parseProjectRow } from "../accounts/account-row.ts";
import { expectProject } from "../accounts/projects.ts";
import type { ServiceContext } from "../context.ts";
import { keys } from "../store/keys.ts";
import { readMergedIndex } from "../store/merged-index.ts";
import type { EventTypeUseCases } from "../use-cases.ts";
import { parseRecordRow } from "./record-row.ts";
import { renderBody } from "./render-body.ts";

/** What can be subscribed to, and what a subscriber will get (specification §4). */
export function createEventTypes({ store }: Pick<ServiceContext, "store">): EventTypeUseCases {
  return {
    list: () => eventTypes,

    async samples(accountId, event, { project_id: projectId, limit }) {
      if (!isEventName(event))
        throw new HookwrightError("unknown_event", "There is no such event; GET /v1/event-types lists them.");
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
