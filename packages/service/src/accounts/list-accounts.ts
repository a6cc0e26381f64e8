import { setImmediate as nextTurn } from "node:timers/promises";
import type { HostAccount } from "@hookwright/domain";
import { partitions } from "@hookwright/storage";
import type { Key, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import type { ServiceContext } from "../context.ts";
import { parseAccountRow, toAccount } from "../rows/account-row.ts";
import type { AccountRow } from "../rows/account-row.ts";
import { keys } from "../rows/keys.ts";
import { openCursor } from "../store/page-cursor.ts";
import type { AccountFilters, Page, PageRequest } from "../use-cases.ts";

/** Accounts that one page reads. A page that stops there may be short, and its cursor continues behind them. */
const maximumScanned = 2_500;
/** After this many rows other work runs. A partition may have fewer than a page. */
const rowsInARow = 100;

/** A page of all accounts, in the order of their ids. `q` is a part of the id, the name or the e-mail address. */
export async function listAccounts(
  { store, cursors }: Pick<ServiceContext, "store" | "cursors">,
  { status, q }: AccountFilters,
  page: PageRequest,
): Promise<Page<HostAccount>> {
  const cursor = openCursor(cursors, { accountId: "", list: "accounts", filters: { status, q }, page });
  const wanted = q?.trim().toLowerCase() ?? "";
  const rows: AccountRow[] = [];
  let scanned = 0;
  let last = "";
  for await (const row of readAccounts(store, cursor.position?.[0])) {
    if (rows.length === page.limit || scanned === maximumScanned)
      return { rows: rows.map(toAccount), meta: { has_more: true, next_cursor: cursor.seal([last]) } };
    scanned += 1;
    if (scanned % rowsInARow === 0) await nextTurn();
    last = row.id;
    const matches =
      (status === undefined || row.status === status) &&
      [row.id, row.name, row.email].some((text) => text.toLowerCase().includes(wanted));
    if (matches) rows.push(row);
  }
  return { rows: rows.map(toAccount), meta: { has_more: false, next_cursor: null } };
}

/** Merges the partitions by account id. */
async function* readAccounts(store: Store, after: unknown): AsyncGenerator<AccountRow> {
  const sources = partitions.map((partition) => readPartition(store, partition, after));
  const heads = await Promise.all(sources.map(async (source) => (await source.next()).value));
  for (;;) {
    let first: number | undefined;
    for (const [index, head] of heads.entries()) {
      const best = first === undefined ? undefined : heads[first];
      if (head !== undefined && (best === undefined || head.id < best.id)) first = index;
    }
    const row = first === undefined ? undefined : heads[first];
    if (first === undefined || row === undefined) return;
    yield row;
    heads[first] = (await sources[first]?.next())?.value;
  }
}

async function* readPartition(
  store: Store,
  partition: string,
  after: unknown,
): AsyncGenerator<AccountRow, undefined> {
  const [, table] = keys.account("");
  const prefix = [partition, String(table)] as const;
  const first: Key | undefined = typeof after === "string" ? [...prefix, after] : undefined;
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
