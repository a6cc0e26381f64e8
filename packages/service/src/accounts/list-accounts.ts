import { setImmediate as nextTurn } from "node:timers/promises";
import { countNotDelivered } from "@hookwright/domain";
import type { HostAccount, LedgerOutcomes, ListedAccount } from "@hookwright/domain";
import { partitions } from "@hookwright/storage";
import type { Key, KeyPart, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { parseChoiceFilter } from "../lookups/parse-filters.ts";
import { parseAccountRow, toAccount } from "../rows/account-row.ts";
import type { AccountRow } from "../rows/account-row.ts";
import { keys } from "../rows/keys.ts";
import { toAccountLog } from "../rows/log-size-row.ts";
import { openCursor } from "../store/page-cursor.ts";
import type { ListContext } from "../store/page-cursor.ts";
import { scan } from "../store/scan.ts";
import { periods, readAccountOutcomes } from "./account-totals.ts";
import type { ReadAccountTotals } from "./account-totals.ts";
import type { AccountFilters, Page, PageRequest } from "../use-cases.ts";

/** After this many rows other work runs. A partition may have fewer than a page. */
const rowsInARow = 100;

/** Accounts whose ledgers are read at once. */
const ledgersAtOnce = 8;

interface AccountsContext extends ListContext {
  readonly now: () => number;
  readonly readTotals: ReadAccountTotals;
  /** In bytes. */
  readonly readLogSizes: () => Promise<ReadonlyMap<string, number>>;
}

/** What accounts are sorted by. */
const orders = {
  not_delivered: countNotDelivered,
  failed: ({ failed }: LedgerOutcomes) => failed,
  volume: ({ due }: LedgerOutcomes) => due,
} as const;
const orderNames = ["not_delivered", "failed", "volume", "log_size"] as const;

/**
 * A page of all accounts, in the order of their ids, or with `sort` of those with events. `q` is a part of the id, the name or the
 * e-mail address.
 *
 * @throws HookwrightError `invalid_cursor`; `validation_failed` for another order or period
 */
export async function listAccounts(
  context: AccountsContext,
  { status, q, sort, period }: AccountFilters,
  page: PageRequest,
): Promise<Page<ListedAccount>> {
  const { store, cursors, readTotals, readLogSizes } = context;
  const order = parseChoiceFilter("sort", sort, orderNames);
  const asked = parseChoiceFilter("period", period, periods);
  const filters = { status, q, sort, period };
  const cursor = openCursor(cursors, { accountId: "", list: "accounts", filters, page });
  const wanted = q?.trim().toLowerCase() ?? "";
  const matches = (row: AccountRow): boolean =>
    (status === undefined || row.status === status) &&
    [row.id, row.name, row.email].some((text) => text.toLowerCase().includes(wanted));
  if (order === undefined && asked === undefined) {
    const { found, next } = await scan(readAccounts(store, cursor.id), {
      limit: page.limit,
      positionOf: ({ id }) => [id],
      matches,
    });
    return { rows: await withLogs(store, found.map(toAccount)), meta: cursor.toMeta(next) };
  }
  const ofPeriod = asked ?? "24h";
  const valueOf = order === "log_size" ? undefined : orders[order ?? "not_delivered"];
  const values =
    valueOf === undefined
      ? await readLogSizes()
      : new Map(Array.from(await readTotals(ofPeriod), ([id, ledger]) => [id, valueOf(ledger)]));
  const { found, next } = await scan(readSorted(store, sortValues(values, cursor.position)), {
    limit: page.limit,
    positionOf: ({ position }) => position,
    matches: ({ row }) => row !== undefined && matches(row),
  });
  const accounts = found.flatMap(({ row }) => row ?? []);
  const listed: (HostAccount & { readonly ledger: LedgerOutcomes })[] = [];
  for (let first = 0; first < accounts.length; first += ledgersAtOnce) {
    const some = accounts.slice(first, first + ledgersAtOnce);
    const ledgers = await Promise.all(some.map(({ id }) => readAccountOutcomes(context, id, ofPeriod)));
    for (const [index, ledger] of ledgers.entries()) {
      const row = some[index];
      if (row !== undefined && (ledger.due > 0 || valueOf === undefined))
        listed.push({ ...toAccount(row), ledger });
    }
  }
  // The totals that rank accounts have longer steps, so a page may be shorter, or in another order.
  const rows =
    valueOf === undefined
      ? listed
      : listed.toSorted((one, other) => valueOf(other.ledger) - valueOf(one.ledger));
  return { rows: await withLogs(store, rows), meta: cursor.toMeta(next) };
}

/** Adds the sizes of the logs. */
async function withLogs<Account extends HostAccount>(
  store: Store,
  accounts: readonly Account[],
): Promise<(Account & Pick<ListedAccount, "log">)[]> {
  const texts = await store.getMany(accounts.map(({ id }) => keys.logSize(id)));
  return accounts.map((account, index) => ({ ...account, log: toAccountLog(texts[index]) }));
}

interface SortedAccount {
  readonly id: string;
  /** The number that it is sorted by, and the id. It stays valid while the numbers change. */
  readonly position: readonly [number, string];
}

/** Those with most first, after a position. */
function sortValues(
  values: ReadonlyMap<string, number>,
  [after, afterId]: readonly KeyPart[] = [],
): readonly SortedAccount[] {
  return Array.from(values, ([id, value]): SortedAccount => ({ id, position: [value, id] }))
    .filter(
      ({ id, position: [value] }) =>
        after === undefined || value < Number(after) || (value === after && id > String(afterId)),
    )
    .toSorted((one, other) => other.position[0] - one.position[0] || (one.id < other.id ? -1 : 1));
}

/** A removed account has no row. */
async function* readSorted(
  store: Store,
  sorted: readonly SortedAccount[],
): AsyncGenerator<SortedAccount & { readonly row: AccountRow | undefined }> {
  for (let first = 0; first < sorted.length; first += rowsInARow) {
    const some = sorted.slice(first, first + rowsInARow);
    const texts = await store.getMany(some.map(({ id }) => keys.account(id)));
    for (const [index, each] of some.entries()) {
      const text = texts[index];
      yield { ...each, row: text === undefined ? undefined : parseAccountRow(text) };
    }
    await nextTurn();
  }
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
