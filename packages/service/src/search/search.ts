import type { DeliveryRow } from "@hookwright/delivery";
import { longestSearch, toTimestamp, validationFailed } from "@hookwright/domain";
import type { FoundRecord, HostSearch } from "@hookwright/domain";
import { StorageError } from "@hookwright/storage";
import { createReadBudget } from "@hookwright/storage/sorted-runs";
import { readAccounts } from "../accounts/list-accounts.ts";
import type { ServiceContext } from "../context.ts";
import { readMatching } from "../lookups/find-deliveries.ts";
import { matchText } from "../lookups/match-text.ts";
import type { TextMatch } from "../lookups/match-text.ts";
import type { SearchContext } from "../lookups/search-context.ts";
import type { MatchedRecord } from "../lookups/read-heads.ts";
import { toAccount } from "../rows/account-row.ts";
import type { AccountRow } from "../rows/account-row.ts";
import { toDelivery } from "../rows/delivery-shape.ts";
import { openCursor } from "../store/page-cursor.ts";
import type { SearchUseCases } from "../use-cases.ts";
import { toHostWebhooks } from "../webhooks/list-all-webhooks.ts";

type Context = SearchContext & Pick<ServiceContext, "cursors" | "now">;

const maximumRecords = 8;
const maximumDeliveries = 5;
/** Accounts that are searched together. */
const accountsAtOnce = 16;
/** After this time, or this many results of one sort, the rest waits for the next request. */
const hostSearchMs = 2_000;
const maximumResults = 20;
/** What is read of the records of all accounts. If it is spent, deliveries are filtered, and the next request has as much again. */
const hostSearchLimits = { entries: 2_000, characters: 8 * 1024 * 1024, reads: 20_000 };
/** A shorter text must be the whole id, name or address of an account. */
const shortestPart = 3;

interface FoundAccount {
  readonly account: AccountRow;
  readonly match: TextMatch;
  readonly named: readonly DeliveryRow[];
}

/** What a text names, in one account and over all of them. */
export function createSearch(context: Context): SearchUseCases {
  return {
    async account(accountId, given) {
      const text = parseText(given);
      const match = await matchText(context, accountId, text);
      const deliveries = await readNewest(context, accountId, match);
      return {
        records: match.records
          .flatMap(toFoundRecord)
          .toSorted((left, right) => (left.created_at < right.created_at ? 1 : -1))
          .slice(0, maximumRecords),
        deliveries: deliveries.map((row) => ({ ...toDelivery(row), matched: match.by(row) })),
      };
    },

    async all(given, givenCursor) {
      const text = parseText(given);
      const page = { limit: maximumResults, cursor: givenCursor };
      const cursor = openCursor(context.cursors, {
        accountId: "",
        list: "search",
        filters: { q: text },
        page,
      });
      const found: HostSearch = { accounts: [], webhooks: [], deliveries: [] };
      const last = await searchAccounts(context, text, cursor.id, found);
      return { ...found, meta: cursor.toMeta(last === undefined ? undefined : [last]) };
    },
  };
}

/** @throws HookwrightError `validation_failed` */
function parseText(given: string | undefined): string {
  const text = given?.trim() ?? "";
  if (text !== "" && text.length <= longestSearch) return text;
  throw validationFailed([`q: must have 1 to ${longestSearch} characters`]);
}

/** Searches account by account, in the order of their ids. Returns the last one if others may follow. */
async function searchAccounts(
  context: Context,
  text: string,
  after: string | undefined,
  { accounts, webhooks, deliveries }: HostSearch,
): Promise<string | undefined> {
  const { store, now } = context;
  const startedAt = now();
  const budget = createReadBudget(hostSearchLimits);
  // The database of the host is not asked for each account.
  const own = { store, events: context.events, findOrdersOfHost: undefined, onError: context.onError };
  const wanted = text.toLowerCase();
  const isIn = (field: string): boolean =>
    wanted.length < shortestPart ? field.toLowerCase() === wanted : field.toLowerCase().includes(wanted);
  let batch: AccountRow[] = [];

  async function searchAccount(account: AccountRow): Promise<FoundAccount[]> {
    try {
      const match = await matchText(own, account.id, text, budget);
      return [{ account, match, named: await readNewest(own, account.id, match) }];
    } catch (error) {
      // Without the store, no account can be searched.
      if (error instanceof StorageError) throw error;
      context.onError(error, { account_id: account.id, code: "account_not_searched" });
      return [];
    }
  }

  async function searchBatch(): Promise<void> {
    const found = (await Promise.all(batch.map(searchAccount))).flat();
    for (const account of batch) {
      const matched = (["id", "name", "email"] as const).find((field) => isIn(account[field]));
      if (matched !== undefined) accounts.push({ ...toAccount(account), matched });
    }
    for (const { account, match, named } of found)
      for (const row of named)
        deliveries.push({ account_id: account.id, ...toDelivery(row), matched: match.by(row) });
    // Of removed webhooks, those whose URL stays disabled.
    const shown = found.flatMap(({ account, match }) =>
      match.webhooks.flatMap(({ row, by }) =>
        "removed_at" in row && row.disabled === undefined ? [] : [{ accountId: account.id, row, by }],
      ),
    );
    const by = new Map(shown.map((each) => [each.row.id, each.by]));
    for (const webhook of await toHostWebhooks(context, shown))
      webhooks.push({ ...webhook, matched: by.get(webhook.id) ?? "url" });
    batch = [];
  }

  for await (const account of readAccounts(store, after)) {
    batch.push(account);
    if (batch.length < accountsAtOnce) continue;
    await searchBatch();
    const isFull = [accounts, webhooks, deliveries].some(({ length }) => length >= maximumResults);
    if (isFull || budget.isSpent || now() - startedAt >= hostSearchMs) return account.id;
  }
  await searchBatch();
  return undefined;
}

/** The newest deliveries that the text names, but for those it only names by their webhook. */
async function readNewest(
  { store }: Pick<SearchContext, "store">,
  accountId: string,
  match: TextMatch,
): Promise<readonly DeliveryRow[]> {
  const query = { accountId, filters: {}, before: undefined, limit: maximumDeliveries };
  const { deliveries } = await readMatching(store, query, { ...match, webhooks: [] });
  return deliveries.filter((row) => match.by(row) !== "webhook");
}

function toFoundRecord({ id, kind, head, by }: MatchedRecord): FoundRecord[] {
  // Many events may be about one record, which is found itself.
  if (head === undefined || by === "about") return [];
  const { project_id, number, email, created_at } = head;
  return [
    {
      id,
      kind,
      project_id,
      number: number === "" ? null : number,
      email: email === "" ? null : email,
      created_at: toTimestamp(created_at),
      matched: by,
    },
  ];
}
