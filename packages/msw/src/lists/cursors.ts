import { HookwrightError } from "@hookwright/domain";
import type { ToToken } from "../random.ts";

/** The scope of a cursor: a list and its filters. */
export interface CursorScope {
  readonly list: string;
  readonly filters: Readonly<Record<string, string | undefined>>;
}

/** Opaque cursors. The service encrypts the position. These are random, and the mock stores the position. */
export interface Cursors {
  /** Returns the cursor of a position. The same scope and position always give the same cursor. */
  seal(scope: CursorScope, position: string): string;
  /** @throws HookwrightError `invalid_cursor` if it was not issued for this scope */
  open(scope: CursorScope, cursor: string): string;
}

export function createCursors(toToken: ToToken): Cursors {
  const issued = new Map<string, { readonly scope: string; readonly position: string }>();
  const cursors = new Map<string, string>();
  return {
    seal(scope, position) {
      const entry = { scope: nameOf(scope), position };
      const name = JSON.stringify(entry);
      const cursor = cursors.get(name) ?? toToken(24);
      cursors.set(name, cursor);
      issued.set(cursor, entry);
      return cursor;
    },
    open(scope, cursor) {
      const entry = issued.get(cursor);
      if (entry?.scope === nameOf(scope)) return entry.position;
      throw new HookwrightError(
        "invalid_cursor",
        "cursor: not issued for this list with these filters; start again without one",
      );
    },
  };
}

function nameOf({ list, filters }: CursorScope): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  return JSON.stringify([list, given.sort()]);
}
