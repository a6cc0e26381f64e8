import { eventCatalogue } from "@hookwright/domain";
import type { EventData, EventName, ReadEvent, RecordKind } from "@hookwright/domain";

/** A validated event. */
export interface Publication {
  readonly event: EventName;
  readonly kind: RecordKind;
  readonly projectId: string;
  readonly data: EventData[EventName];
  /** The creation time of the record in milliseconds, by which lists are ordered. */
  readonly createdAt: number;
  /** Whether the host sent that time. */
  readonly hasCreatedAt: boolean;
  /** When the host read `data`, in milliseconds. `undefined`: when the event was first published for this record. */
  readonly asOf?: number | undefined;
  /** Paths of the fields that were filled or changed. */
  readonly adjusted: readonly string[];
  /** Assigned before anything is read, so that the events of one call keep their order. */
  readonly arrival: number;
  /** The e-mail lists that a new subscriber joins. */
  readonly listIds?: readonly string[];
}

export function toPublication(read: ReadEvent, arrival: number): Publication {
  const { event, projectId, asOf, record } = read;
  const { data, createdAt, hasCreatedAt, adjusted } = record;
  return {
    event,
    kind: eventCatalogue[event].kind,
    projectId,
    data,
    createdAt,
    hasCreatedAt,
    asOf,
    adjusted,
    arrival,
  };
}
