/** What a storage tells about itself. */
export interface StorageFacts {
  /** `Redis 7.2.4`. Undefined for a directory. */
  readonly version: string | undefined;
  /** An older version than the oldest that works. Undefined: it is new enough. */
  readonly tooOld: string | undefined;
  /** Settings that may lose data, each with its remedy. */
  readonly unsafe: readonly { readonly setting: string; readonly fix: string }[];
  /** The safe settings. */
  readonly safe: string;
  /** How far its clock is ahead of this machine, in milliseconds. Undefined: it has no clock of its own. */
  readonly clockAheadMs: number | undefined;
  /** Free bytes. Undefined: it is not known. */
  readonly freeBytes: number | undefined;
}

/** The difference of another clock to this one, which was read before and after. */
export function toClockAhead(before: number, other: number, after: number): number {
  return Math.round(other - (before + after) / 2);
}
