/** The stored state of a record and its events. Times are milliseconds since 1970. */
export interface RecordSnapshot {
  /** Its events in the order of their first publication. */
  readonly events: readonly string[];
  /** The time of the first publication of each event. */
  readonly published: readonly number[];
  /** The time at which the host read the stored data. */
  readonly as_of: number;
}

export interface PublishedSnapshot {
  /** `undefined`: the event has an id, so the record does not remember it. */
  readonly event: string | undefined;
  /** The time at which the host read the data. @default the time of the first publication of this event */
  readonly asOf: number | undefined;
  readonly now: number;
}

export interface SnapshotChange {
  readonly snapshot: RecordSnapshot;
  /** Whether the stored data is newer and stays. */
  readonly isOutdated: boolean;
}

/**
 * Returns the stored state of a record after an event is published. An older snapshot never replaces a newer
 * one (contract: Records). The default `as_of` is the time of the event's first publication, so a repeated
 * `order.created` does not change a paid order.
 *
 * @param before `undefined` for a new record
 */
export function takeSnapshot(
  before: RecordSnapshot | undefined,
  { event, asOf, now }: PublishedSnapshot,
): SnapshotChange {
  const added = event === undefined ? [] : [event];
  if (before === undefined)
    return {
      snapshot: { events: added, published: added.map(() => now), as_of: asOf ?? now },
      isOutdated: false,
    };
  const known = event === undefined ? -1 : before.events.indexOf(event);
  // Two events of one record must have different times.
  const published =
    known === -1 ? Math.max(now, ...before.published.map((time) => time + 1)) : before.published[known];
  const read = asOf ?? published ?? now;
  // The wire format has whole seconds, so times within one second cannot be compared.
  const isWholeSecond = asOf !== undefined && asOf % 1_000 === 0;
  const isOutdated = read < (isWholeSecond ? Math.floor(before.as_of / 1_000) * 1_000 : before.as_of);
  return {
    snapshot: {
      events: known === -1 ? [...before.events, ...added] : before.events,
      published:
        known === -1 ? [...before.published, ...added.map(() => published ?? now)] : before.published,
      // Data that replaces data of the same second counts as newer.
      as_of: isOutdated || read >= before.as_of ? Math.max(before.as_of, read) : before.as_of + 1,
    },
    isOutdated,
  };
}

/**
 * Returns the stored state after a write without an event, for example a new tag. If it changes something,
 * all earlier snapshots are older.
 */
export function touchSnapshot<Snapshot extends RecordSnapshot>(
  before: Snapshot,
  { isChanged, now }: { readonly isChanged: boolean; readonly now: number },
): Snapshot {
  return isChanged ? { ...before, as_of: Math.max(before.as_of + 1, now) } : before;
}
