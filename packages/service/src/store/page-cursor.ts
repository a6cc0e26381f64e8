import type { CursorCodec } from "@hookwright/cursor";
import { HookwrightError } from "@hookwright/domain";
import type { KeyPart, Store } from "@hookwright/storage";
import { hash } from "ohash";
import type { Page, PageRequest } from "../use-cases.ts";

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
  /** The position, if it is an id. */
  readonly id: string | undefined;
  /** @param next the position after which the next page begins. Undefined: this is the last page */
  toMeta(next: readonly KeyPart[] | undefined): Page<unknown>["meta"];
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
  const [id] = position ?? [];
  return {
    position,
    id: typeof id === "string" ? id : undefined,
    toMeta: (next) => ({
      has_more: next !== undefined,
      next_cursor: next === undefined ? null : cursors.encode({ scope, position: next }),
    }),
  };
}
