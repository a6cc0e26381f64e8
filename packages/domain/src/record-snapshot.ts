import type { EventName } from "./events/event-names.ts";

/** Which state of a record is stored, and what it was published under. Times are milliseconds since 1970. */
export interface RecordSnapshot {
  /** The events it was published under, the first one first. */
  readonly events: readonly EventName[];
  /** When it was first published under each of `events`. */
  readonly published: readonly number[];
  /** When the host read the data that is stored. */
  readonly as_of: number;
}

export interface PublishedSnapshot {
  readonly event: EventName;
  /** When the host read the data. @default when this event of the record was first published */
  readonly asOf: number | undefined;
  readonly now: number;
}

export interface SnapshotChange {
  readonly snapshot: RecordSnapshot;
  /** The stored data is newer: it stays. */
  readonly isOutdated: boolean;
}

/**
 * What publishing an event makes of the stored state of its record: an older snapshot never replaces a newer one (contract §5). By its
 * default `as_of` a repeated event is as old as when it was first published, so a repeated `order.created` leaves a paid order paid.
 *
 * @param before undefined for a record that is new
 */
export function takeSnapshot(
  before: RecordSnapshot | undefined,
  { event, asOf, now }: PublishedSnapshot,
): SnapshotChange {
  if (before === undefined)
    return { snapshot: { events: [event], published: [now], as_of: asOf ?? now }, isOutdated: false };
  const known = before.events.indexOf(event);
  // Two events of one record never have the same time: the later one is a millisecond later at least.
  const published =
    known === -1 ? Math.max(now, ...before.published.map((time) => time + 1)) : before.published[known];
  const read = asOf ?? published ?? now;
  const isOutdated = read < before.as_of;
  return {
    snapshot: {
      events: known === -1 ? [...before.events, event] : before.events,
      published: known === -1 ? [...before.published, published ?? now] : before.published,
      as_of: isOutdated ? before.as_of : read,
    },
    isOutdated,
  };
}
