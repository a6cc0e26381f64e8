import { eventCatalogue } from "@hookwright/domain";
import type { EventData, EventName, ReadEvent, RecordKind } from "@hookwright/domain";

/** An event that is ready to be published. */
export interface Publication {
  readonly event: EventName;
  readonly kind: RecordKind;
  readonly projectId: string;
  readonly data: EventData[EventName];
  /** When the record was created, in milliseconds: lists are ordered by it, also within a second. */
  readonly createdAt: number;
  /** Whether the host sent that time. */
  readonly hasCreatedAt: boolean;
  /** When the host read `data`, in milliseconds. Undefined: when the event was first published for this record. */
  readonly asOf?: number | undefined;
  /** Paths of the fields that were filled or changed. */
  readonly adjusted: readonly string[];
  /** Taken before anything is read, so that events of one call arrive in the order given, however long the store takes. */
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
