/**
 * The items of a store, all under `hookwright:` in the caller's storage:
 *
 * - `log:<sequence>-<session>`: one group of commits
 * - `part:<number>-<session>`: the rows of one range of keys, as a checkpoint found them
 * - `manifest:<number>-<session>`: which parts make up a checkpoint, and through which log item they reach
 * - `candidate:<session>`, `owner:<session>`: who is opening the storage, and who has it open
 *
 * Lower-case letters, digits, `-` and the `:` that unstorage itself separates with: a driver that folds case, makes
 * directories or escapes names leaves these as they are. No name is ever written twice (but for heartbeats), so a write that
 * arrives late, after its time-out or its process, can overwrite nothing.
 */
export const itemBase = "hookwright";

export type NumberedKind = "log" | "part" | "manifest";
export type OwnerKind = "candidate" | "owner";

export interface ItemName {
  readonly name: string;
  readonly kind: NumberedKind | OwnerKind;
  /** Of the log item, part or manifest; 0 for the others. */
  readonly number: number;
  /** Sorts by age: a session that was opened later has a greater one. */
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

/** A session later than all of these. @param random 16 hexadecimal digits, which tell apart what is opened at once */
export function nextSession(names: readonly ItemName[], random: string): string {
  const latest = names.reduce((most, { session }) => Math.max(most, Number(session.slice(0, 8))), 0);
  return `${String(latest + 1).padStart(8, "0")}${random}`;
}

/** What a name says; `undefined` for a name that is none of ours. */
export function parseItemName(name: string): ItemName | undefined {
  const [, numbered, number, owning, session] = namePattern.exec(name) ?? [];
  if (session === undefined) return undefined;
  if (numbered === "log" || numbered === "part" || numbered === "manifest")
    return { name, kind: numbered, number: Number(number), session };
  return owning === "candidate" || owning === "owner"
    ? { name, kind: owning, number: 0, session }
    : undefined;
}

/** By age: sessions first, then what a session wrote one after the other. */
export function compareAge(left: ItemName, right: ItemName): number {
  if (left.session !== right.session) return left.session < right.session ? -1 : 1;
  return left.number - right.number;
}
