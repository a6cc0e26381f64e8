/**
 * The items of a store, all under `hookwright:` in the caller's storage:
 *
 * - `log:<sequence>-<session>`: one group of commits
 * - `part:<number>-<session>`: the rows of one key range in a checkpoint
 * - `manifest:<number>-<session>`: the parts of a checkpoint and its last log item
 * - `candidate:<session>`, `owner:<session>`: a process that is opening the storage, or has it open
 *
 * Names contain only lower-case letters, digits, `-` and unstorage's separator `:`, which all drivers
 * preserve. Only heartbeats are written twice, so a late write cannot overwrite anything.
 */
export const itemBase = "hookwright";

export type NumberedKind = "log" | "part" | "manifest";
export type OwnerKind = "candidate" | "owner";

export interface ItemName {
  readonly name: string;
  readonly kind: NumberedKind | OwnerKind;
  /** The number of the log item, part or manifest. 0 for the others. */
  readonly number: number;
  /** Sorts by age. A later session is greater. */
  readonly session: string;
}

const digits = 12;
const namePattern = /^(?:(log|part|manifest):(\d{12})-|(candidate|owner):)(\d{8}[0-9a-f]{16})$/;

export function numberedName(kind: NumberedKind, number: number, session: string): string {
  return `${kind}:${String(number).padStart(digits, "0")}-${session}`;
}

export function ownerName(kind: OwnerKind, session: string): string {
  return `${kind}:${session}`;
}

/**
 * Returns a session that is later than all of these.
 *
 * @param random 16 hexadecimal digits, which distinguish sessions that are opened at the same time
 */
export function nextSession(names: readonly ItemName[], random: string): string {
  const latest = names.reduce((most, { session }) => Math.max(most, Number(session.slice(0, 8))), 0);
  return `${String(latest + 1).padStart(8, "0")}${random}`;
}

/** Parses a name. Returns `undefined` for a name of another program. */
export function parseItemName(name: string): ItemName | undefined {
  const [, numbered, number, owning, session] = namePattern.exec(name) ?? [];
  if (session === undefined) return undefined;
  if (numbered === "log" || numbered === "part" || numbered === "manifest")
    return { name, kind: numbered, number: Number(number), session };
  return owning === "candidate" || owning === "owner"
    ? { name, kind: owning, number: 0, session }
    : undefined;
}

/** Compares by age: by session, then by number. */
export function compareAge(left: ItemName, right: ItemName): number {
  if (left.session !== right.session) return left.session < right.session ? -1 : 1;
  return left.number - right.number;
}
