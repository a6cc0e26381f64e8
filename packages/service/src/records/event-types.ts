import { describeFields, isEventName } from "@hookwright/domain";
import type { DescribedEventType, EventType } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { renderBody } from "../rows/render-body.ts";
import { expectEvent } from "../lookups/expect-event.ts";
import { expectProject } from "../lookups/find-project.ts";
import { keys } from "../rows/keys.ts";
import { parseProjectRow } from "../rows/project-row.ts";
import { ownFieldsOf, parseRecordRow } from "../rows/record-row.ts";
import { readMergedIndex } from "../store/index-page.ts";
import type { EventTypeUseCases } from "../use-cases.ts";

/** Returns the known events with the fields of their data. They are described once for each change of them. */
export function createDescribeEventTypes({
  events,
}: Pick<ServiceContext, "events">): () => readonly DescribedEventType[] {
  let types: readonly EventType[] = [];
  let described: readonly DescribedEventType[] = [];
  return () => {
    if (types === events.types) return described;
    types = events.types;
    described = types.map((type) => {
      const schema = events.find(type.event)?.toDataSchema() ?? {};
      return { ...type, fields: describeFields(schema, type.sample.data) };
    });
    return described;
  };
}

/** The known events, with samples of their records. */
export function createEventTypes({
  store,
  events,
}: Pick<ServiceContext, "store" | "events">): EventTypeUseCases {
  return {
    list: () => events.types,

    async samples(accountId, event, { project_id: projectId, limit }) {
      const known = expectEvent(events, event, "type");
      if (projectId !== undefined) await expectProject(store, accountId, projectId);
      const positions = await readMergedIndex(store, {
        prefixes: [keys.recordList(accountId, event)],
        dimensions: [projectId, undefined],
        limit,
      });
      // An event with an id has a row of its own kind. Its arrival tells it from a record with this id.
      const kinds = [...new Set([known.kind, ...(isEventName(event) ? [] : [event])])];
      const places = positions.flatMap((position) => kinds.map((kind) => ({ kind, ...position })));
      const texts = await store.getMany(places.map(({ kind, id }) => keys.record(accountId, kind, id)));
      const records = places.flatMap(({ id, arrival }, index) => {
        const text = texts[index];
        const row = text === undefined ? undefined : parseRecordRow(text);
        return row?.head.arrival === arrival ? [{ id, ...row }] : [];
      });
      const projects = await store.getMany(
        records.map(({ head }) => keys.project(accountId, head.project_id)),
      );
      return records.flatMap(({ id, head, json }, index) => {
        const project = projects[index];
        if (project === undefined) return [];
        const ownFields = ownFieldsOf(head, event);
        return [
          { json: renderBody({ event, recordId: id, project: parseProjectRow(project), json, ownFields }) },
        ];
      });
    },
  };
}
