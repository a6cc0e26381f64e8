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

/** Reads a list page by page while it changes. */
export interface ListReader {
  /** Reads the next page. After the last page it starts again. */
  readNextPage(): Promise<void>;
}

/** Checks that each row that exists from the first page to the last is on exactly one page. */
export function createListReader({ read }: Programs, path: string, limit: number): ListReader {
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
    async readNextPage() {
      if (cursor === null) {
        before = (await readWhole()) ?? [];
        seen = [];
      }
      const page = await readPage(`limit=${limit}&cursor=${cursor ?? ""}`);
      // Some requests are refused, for example for a suspended account. Then a later page is checked.
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
