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
  // The wire form of a time has whole seconds: within its second it says nothing.
  const isWholeSecond = asOf !== undefined && asOf % 1_000 === 0;
  const isOutdated = read < (isWholeSecond ? Math.floor(before.as_of / 1_000) * 1_000 : before.as_of);
  return {
    snapshot: {
      events: known === -1 ? [...before.events, event] : before.events,
      published: known === -1 ? [...before.published, published ?? now] : before.published,
      // What replaces data of the same second is newer than that data.
      as_of: isOutdated || read >= before.as_of ? Math.max(before.as_of, read) : before.as_of + 1,
    },
    isOutdated,
  };
}

/** The stored state after a write that no event has brought, such as a new tag: if it changes something, every earlier snapshot is older. */
export function touchSnapshot<Snapshot extends RecordSnapshot>(
  before: Snapshot,
  { isChanged, now }: { readonly isChanged: boolean; readonly now: number },
): Snapshot {
  return isChanged ? { ...before, as_of: Math.max(before.as_of + 1, now) } : before;
}
