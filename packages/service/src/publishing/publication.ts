import type { ReadEvent, RecordData } from "@hookwright/domain";

/** A validated event. */
export interface Publication {
  readonly event: string;
  readonly kind: string;
  /** The id of the event. `undefined`: it happens once for its record, and has its id. */
  readonly eventId?: string | undefined;
  readonly projectId: string;
  readonly data: RecordData;
  /** The creation time of the record in milliseconds, by which lists are ordered. */
  readonly createdAt: number;
  /** Whether the host sent that time. */
  readonly hasCreatedAt: boolean;
  /** When the host read `data`, in milliseconds. `undefined`: when the event was first published for this record. */
  readonly asOf?: number | undefined;
  /** Paths of the fields that were filled or changed. */
  readonly adjusted: readonly string[];
  /** Paths of the fields that were sent and are not part of the event. */
  readonly dropped: readonly string[];
  /** JSON text of the fields that an event of the host has in addition to its record. */
  readonly ownFields?: string | undefined;
  /** Assigned before anything is read, so that the events of one call keep their order. */
  readonly arrival: number;
  /** The e-mail lists that a new subscriber joins. */
  readonly listIds?: readonly string[];
  /** The row of the store's outbox that the publication takes. */
  readonly takes?: string | undefined;
  /** The trace of the publish, which its deliveries continue. */
  readonly traceParent?: string | undefined;
}

type Origin = Pick<Publication, "arrival" | "takes" | "traceParent">;

export function toPublication(read: ReadEvent, origin: Origin): Publication {
  const { event, kind, eventId, projectId, asOf, record } = read;
  const { data, createdAt, hasCreatedAt, adjusted, dropped, ownFields } = record;
  return {
    event,
    kind,
    eventId,
    projectId,
    data,
    createdAt,
    hasCreatedAt,
    asOf,
    adjusted,
    dropped,
    ownFields: ownFields && JSON.stringify(ownFields),
    ...origin,
  };
}
