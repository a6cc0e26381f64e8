import type { CursorCodec } from "@hookwright/cursor";
import { HookwrightError } from "@hookwright/domain";
import type { KeyPart, Store } from "@hookwright/storage";
import { hash } from "ohash";
import type { PageRequest } from "../use-cases.ts";

/** What a list needs to read a page. */
export interface ListContext {
  readonly store: Store;
  readonly cursors: CursorCodec;
}

/** The scope of a cursor. It is invalid for another account, list or filter (contract: Lists). */
export interface ListScope {
  readonly accountId: string;
  readonly list: string;
  readonly filters: Readonly<Record<string, string | undefined>>;
  readonly page: PageRequest;
}

export interface OpenedCursor {
  /** Undefined on the first page. */
  readonly position: readonly KeyPart[] | undefined;
  /** Creates the cursor of the page after this position. */
  seal(position: readonly KeyPart[]): string;
}

/** @throws HookwrightError `invalid_cursor` */
export function openCursor(
  cursors: CursorCodec,
  { accountId, list, filters, page }: ListScope,
): OpenedCursor {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const scope = [accountId, list, hash(Object.fromEntries(given))];
  const position = page.cursor === undefined ? undefined : cursors.decode({ scope, cursor: page.cursor });
  if (page.cursor !== undefined && position === undefined) {
    throw new HookwrightError(
      "invalid_cursor",
      "cursor: not issued for this list with these filters; start again without one",
    );
  }
  return { position, seal: (next) => cursors.encode({ scope, position: next }) };
}
