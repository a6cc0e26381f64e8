import { expect } from "vitest";
import type { Programs } from "./programs.ts";

interface Row {
  readonly id: string;
  readonly created_at: string;
}

interface Page {
  readonly rows: readonly Row[];
  readonly cursor: string | null;
}

/** Somebody who turns the pages of a list, while it changes. */
export interface Walk {
  /** One more page; behind the last one the list is begun again. */
  turn(): Promise<void>;
}

/** What was there from the first page to the last has to be on one of them, and on no second one. */
export function createWalk({ read }: Programs, path: string, limit: number): Walk {
  let before: readonly Row[] = [];
  let seen: Row[] = [];
  let cursor: string | null = null;

  async function readPage(query: string): Promise<Page | undefined> {
    const { status, body } = await read(`GET ${path}?${query}`);
    if (status !== 200) return undefined;
    const { data, meta } = JSON.parse(body);
    expect(meta.has_more).toBe(meta.next_cursor !== null);
    const index = /\d+/.exec(meta.next_cursor ?? "")?.[0];
    return { rows: data, cursor: index === undefined ? null : `~cursor.${index}~` };
  }

  async function readWhole(): Promise<readonly Row[] | undefined> {
    const rows: Row[] = [];
    let page: Page | undefined;
    do {
      page = await readPage(`limit=100&cursor=${page?.cursor ?? ""}`);
      if (page === undefined) return undefined;
      rows.push(...page.rows);
    } while (page.cursor !== null);
    expect(rows.map(({ created_at }) => created_at)).toEqual(
      rows
        .map(({ created_at }) => created_at)
        .toSorted()
        .toReversed(),
    );
    return rows;
  }

  return {
    async turn() {
      if (cursor === null) {
        before = (await readWhole()) ?? [];
        seen = [];
      }
      const page = await readPage(`limit=${limit}&cursor=${cursor ?? ""}`);
      // An account that is suspended, say, is told nothing; the next page is as good later.
      if (page === undefined) return;
      seen.push(...page.rows);
      cursor = page.cursor;
      const after = cursor === null ? await readWhole() : undefined;
      if (after === undefined) return;
      const places = new Map(after.map(({ id, created_at }) => [id, created_at]));
      const throughout = before.filter(({ id, created_at }) => places.get(id) === created_at);
      const times = throughout.map(({ id }) => [id, seen.filter((row) => row.id === id).length]);
      expect(times).toEqual(throughout.map(({ id }) => [id, 1]));
    },
  };
}
