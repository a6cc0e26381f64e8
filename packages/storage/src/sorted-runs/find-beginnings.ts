import { setImmediate as nextTurn } from "node:timers/promises";
import type { Entry, Key, Store } from "../port.ts";
import type { ReadBudget } from "./read-budget.ts";

export interface BeginningsQuery {
  readonly prefix: Key;
  /** What the part after the prefix begins with, in any case of the letters A to Z. Not empty. */
  readonly text: string;
  /** Whether the part must be the whole text. @default false */
  readonly isWhole?: boolean | undefined;
  /** What this and other reads may find. */
  readonly budget: ReadBudget;
}

export interface FoundBeginnings {
  /** The first entry of each part, in key order. */
  readonly entries: readonly Entry[];
  /** False: a limit was reached, so more may match. */
  readonly isComplete: boolean;
}

const maximumReads = 200;
/** After this many reads, other work runs: a store that reads in this thread never waits. */
const readsInARow = 32;
const largestPage = 32;

/**
 * Finds the parts after a prefix that begin with a text in any case. It jumps over those that do not: ids of one form cost two reads,
 * whatever their number.
 */
export async function findBeginnings(store: Store, query: BeginningsQuery): Promise<FoundBeginnings> {
  const { prefix, isWhole = false, budget } = query;
  const text = toLowerAscii(query.text);
  const entries: Entry[] = [];
  let after = justBefore(toUpperAscii(text));
  let size = 1;
  for (let reads = 1; reads <= maximumReads; reads++) {
    if (reads % readsInARow === 0) await nextTurn();
    const limit = budget.startRead(size);
    if (limit === 0) break;
    const page = await store.list({ prefix, after: [...prefix, after], limit, groupBy: 1 });
    let jump: string | undefined;
    for (const entry of page) {
      const part = String(entry.key[prefix.length]);
      if (matchesBeginning(part, text, isWhole)) {
        if (!budget.take(entry.value.length)) return { entries, isComplete: false };
        entries.push(entry);
        after = part;
        continue;
      }
      jump = nextPlace(part, text);
      if (jump === undefined) return { entries, isComplete: true };
      after = justBefore(jump);
      break;
    }
    if (jump === undefined && page.length < limit) return { entries, isComplete: true };
    size = jump === undefined ? Math.min(largestPage, size * 4) : 1;
  }
  return { entries, isComplete: false };
}

/** The letters A to Z in lower case. Other letters stay, so that the order of the keys is known. */
export function toLowerAscii(text: string): string {
  return text.replace(/[A-Z]+/gu, (letters) => letters.toLowerCase());
}

function toUpperAscii(text: string): string {
  return text.replace(/[a-z]+/gu, (letters) => letters.toUpperCase());
}

function matchesBeginning(part: string, text: string, isWhole: boolean): boolean {
  const folded = toLowerAscii(part);
  return isWhole ? folded === text : folded.startsWith(text);
}

/** The first text after a part that may match, and is not in its group. `undefined`: there is none. */
function nextPlace(part: string, text: string): string | undefined {
  const [found, wanted] = [[...part], [...text]];
  let equal = 0;
  while (equal < wanted.length && toLowerAscii(found[equal] ?? "") === wanted[equal]) equal++;
  const place = (at: number, letter: string): string =>
    [...found.slice(0, at), letter, toUpperAscii(wanted.slice(at + 1).join(""))].join("");
  const letter = wanted[equal];
  if (letter !== undefined) {
    const code = found[equal]?.codePointAt(0) ?? -1;
    // Capital letters come first.
    const larger = [toUpperAscii(letter), letter].find((each) => (each.codePointAt(0) ?? 0) > code);
    if (larger !== undefined) return place(equal, larger);
  }
  const capital = found.findLastIndex((each, at) => at < equal && each !== wanted[at]);
  return capital === -1 ? undefined : place(capital, wanted[capital] ?? "");
}

/** A text before this one, with few or no parts between them. */
function justBefore(text: string): string {
  const characters = [...text];
  const code = (characters.pop()?.codePointAt(0) ?? 1) - 1;
  // Half of a surrogate pair cannot be stored.
  const isHalf = code >= 0xd800 && code <= 0xdfff;
  return `${characters.join("")}${String.fromCodePoint(isHalf ? 0xd7ff : code)}\u{10FFFF}`;
}
