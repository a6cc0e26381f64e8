import { setImmediate as nextTurn } from "node:timers/promises";
import type { HostAccount } from "@hookwright/domain";
import { partitions } from "@hookwright/storage";
import type { Key, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { parseAccountRow, toAccount } from "../rows/account-row.ts";
import type { AccountRow } from "../rows/account-row.ts";
import { keys } from "../rows/keys.ts";
import { openCursor } from "../store/page-cursor.ts";
import type { ListContext } from "../store/page-cursor.ts";
import { scan } from "../store/scan.ts";
import type { AccountFilters, Page, PageRequest } from "../use-cases.ts";

/** After this many rows other work runs. A partition may have fewer than a page. */
const rowsInARow = 100;

/** A page of all accounts, in the order of their ids. `q` is a part of the id, the name or the e-mail address. */
export async function listAccounts(
  { store, cursors }: ListContext,
  { status, q }: AccountFilters,
  page: PageRequest,
): Promise<Page<HostAccount>> {
  const cursor = openCursor(cursors, { accountId: "", list: "accounts", filters: { status, q }, page });
  const wanted = q?.trim().toLowerCase() ?? "";
  const { found, next } = await scan(readAccounts(store, cursor.id), {
    limit: page.limit,
    positionOf: ({ id }) => [id],
    matches: (row) =>
      (status === undefined || row.status === status) &&
      [row.id, row.name, row.email].some((text) => text.toLowerCase().includes(wanted)),
  });
  return { rows: found.map(toAccount), meta: cursor.toMeta(next) };
}

/** All accounts after an id, in the order of their ids. */
export async function* readAccounts(store: Store, after: string | undefined): AsyncGenerator<AccountRow> {
  const sources = partitions.map((partition) => readPartition(store, partition, after));
  const heads = await Promise.all(sources.map(async (source) => (await source.next()).value));
  for (let read = 1; ; read++) {
    const first = heads.reduce(
      (best, head) => (head && !(best && best.id < head.id) ? head : best),
      undefined,
    );
    if (first === undefined) return;
    yield first;
    const index = heads.indexOf(first);
    heads[index] = (await sources[index]?.next())?.value;
    if (read % rowsInARow === 0) await nextTurn();
  }
}

async function* readPartition(
  store: Store,
  partition: string,
  after: string | undefined,
): AsyncGenerator<AccountRow, undefined> {
  const [, table] = keys.account("");
  const prefix = [partition, String(table)] as const;
  const first: Key | undefined = after === undefined ? undefined : [...prefix, after];
  for await (const page of listPages(store, { prefix, after: first }))
    for (const { value } of page) yield parseAccountRow(value);
  return undefined;
}

/**
 * Whether a store has any account. A store without one is new, or its data was lost.
 *
 * @throws StorageError if the storage fails
 */
export async function hasAccounts(store: Store): Promise<boolean> {
  const [, table] = keys.account("");
  const found = await Promise.all(
    partitions.map((partition) => store.list({ prefix: [partition, String(table)], limit: 1 })),
  );
  return found.some((entries) => entries.length > 0);
}
