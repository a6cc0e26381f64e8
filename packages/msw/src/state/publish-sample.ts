import { eventCatalogue } from "@hookwright/domain";
import type { DeliveryBody, EventName } from "@hookwright/domain";
import { publishRecord } from "./publish-record.ts";
import type { World } from "./world.ts";

export interface SampleEvent<Name extends EventName> {
  readonly event: Name;
  readonly projectId: string;
  /** Fields that differ from the event's sample, each as a whole. */
  readonly data: object | undefined;
}

/** @throws HookwrightError `validation_failed` */
export function publishSample<Name extends EventName>(
  world: World,
  { event, projectId, data }: SampleEvent<Name>,
): DeliveryBody<Name> {
  return publishRecord(world, { event, projectId, data: { ...eventCatalogue[event].sampleData, ...data } });
}
