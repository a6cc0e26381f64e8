import { eventCatalogue, recordKinds } from "@hookwright/domain";
import type { EventName } from "@hookwright/domain";
import { publishRecord } from "./publish-record.ts";
import type { AnyBody } from "./to-body.ts";
import { recordKey } from "./world.ts";
import type { RecordRow, World } from "./world.ts";

export interface SampleEvent {
  readonly event: string;
  readonly projectId: string;
  /** Fields that replace those of the stored record, or else of the event's sample. */
  readonly data: object | undefined;
}

/** The fields that an event changes in a record of another event. */
const changes: ReadonlyMap<string, object> = new Map<EventName, object>([
  ["order.paid", { status: eventCatalogue["order.paid"].sampleData.status }],
]);

/** @throws HookwrightError `validation_failed`, `unknown_event` */
export function publishSample(world: World, { event, projectId, data }: SampleEvent): AnyBody {
  const { kind } = world.events.expect(event);
  const sample = world.events.sampleOf(event);
  const { id }: { readonly id?: unknown } = { ...sample, ...data };
  const before = world.records.get(recordKey(kind, String(id)));
  const happened = before?.snapshot.events.includes(event) ? {} : changes.get(event);
  const published = {
    ...sample,
    ...(before && dataOf(before)),
    ...before?.ownFields[event],
    ...happened,
    ...data,
  };
  return publishRecord(world, { event, projectId, data: published });
}

/** The fields of a stored record that can be published again. */
function dataOf({ kind, value, sent }: RecordRow): object {
  return recordKinds.some((shared) => shared === kind) ? value : sent;
}
