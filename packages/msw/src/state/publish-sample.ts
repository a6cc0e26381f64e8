import { eventCatalogue } from "@hookwright/domain";
import type { DeliveryBody, EventName } from "@hookwright/domain";
import { expectEvent } from "./expect-event.ts";
import { publishRecord } from "./publish-record.ts";
import { recordKey } from "./world.ts";
import type { World } from "./world.ts";

export interface SampleEvent<Name extends EventName> {
  readonly event: Name;
  readonly projectId: string;
  /** Fields that replace those of the stored record, or else of the event's sample. */
  readonly data: object | undefined;
}

/** The fields that an event changes in a record of another event. */
const changes: { readonly [Name in EventName]?: object } = {
  "order.paid": { status: eventCatalogue["order.paid"].sampleData.status },
};

/** @throws HookwrightError `validation_failed`, `unknown_event` */
export function publishSample<Name extends EventName>(
  world: World,
  { event, projectId, data }: SampleEvent<Name>,
): DeliveryBody<Name> {
  expectEvent(event);
  const { kind, sampleData } = eventCatalogue[event];
  const { id } = { id: sampleData.id, ...data };
  const before = world.records.get(recordKey(kind, id));
  const happened = before?.snapshot.events.includes(event) ? {} : changes[event];
  const published = { ...sampleData, ...before?.value, ...happened, ...data };
  return publishRecord(world, { event, projectId, data: published });
}
