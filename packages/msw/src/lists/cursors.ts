import { HookwrightError } from "@hookwright/domain";
import type { ToToken } from "../random.ts";

/** What a cursor is bound to: a list, and the filters it was asked with. */
export interface CursorScope {
  readonly list: string;
  readonly filters: Readonly<Record<string, string | undefined>>;
}

/** Opaque cursors. The service's hold the position, encrypted; these are random, and the position is remembered. */
export interface Cursors {
  /** The same scope and position always give the same cursor, as the service's do. */
  seal(scope: CursorScope, position: string): string;
  /** @throws HookwrightError `invalid_cursor` for what was not issued for this scope */
  open(scope: CursorScope, cursor: string): string;
}

export function createCursors(toToken: ToToken): Cursors {
  const places = new Map<string, { readonly scope: string; readonly position: string }>();
  const cursors = new Map<string, string>();
  return {
    seal(scope, position) {
      const place = { scope: nameOf(scope), position };
      const name = JSON.stringify(place);
      const cursor = cursors.get(name) ?? toToken(24);
      cursors.set(name, cursor);
      places.set(cursor, place);
      return cursor;
    },
    open(scope, cursor) {
      const place = places.get(cursor);
      if (place?.scope === nameOf(scope)) return place.position;
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
