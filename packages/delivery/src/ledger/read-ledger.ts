import { toLedgerRange } from "@hookwright/domain";
import type { LedgerRange, LedgerRangeQuery } from "@hookwright/domain";
import { StorageError } from "@hookwright/storage";
import type { Key, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { keys } from "../storage/keys.ts";
import { addSum, toCounts } from "./counts.ts";
import type { LedgerCounts, Sums } from "./counts.ts";
import { parseReadableSums } from "./named-sums.ts";
import { minuteMs, startOf } from "./steps.ts";

/** The range is moved to whole steps that are kept, see `toLedgerRange`. */
export interface LedgerQuery extends LedgerRangeQuery {
  readonly accountId: string;
  /** @default all webhooks with events, also removed ones */
  readonly webhookIds?: readonly string[] | undefined;
  /** Whether also the series of each webhook is wanted. @default only with `webhookIds` */
  readonly byWebhook?: boolean | undefined;
  /** @default all sites */
  readonly projectId?: string | undefined;
  /** @default all events */
  readonly event?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface LedgerPoint {
  /** The beginning of the step, in milliseconds. */
  readonly at: number;
  readonly counts: LedgerCounts;
}

/** Times are in milliseconds. Each series has a point for every step, oldest first. */
export interface LedgerPeriod {
  readonly since: number;
  readonly until: number;
  readonly stepSeconds: number;
  /** The sum of all webhooks. */
  readonly all: readonly LedgerPoint[];
  /** Each webhook that was asked for, or each that has events. */
  readonly byWebhook: ReadonlyMap<string, readonly LedgerPoint[]>;
}

/** Folds pause for longer than a usual read, see `createBackgroundFolds`. So a read rarely meets more than one. */
const maximumReads = 20;
const pageSize = 1_000;
/** Webhooks that are read at once. */
const webhooksAtOnce = 8;

/**
 * Reads the ledger of an account. An event counts for the time at which it was published.
 *
 * The numbers are those of one moment with respect to folds. A commit that happens meanwhile may be counted in part.
 *
 * @throws {StorageError} `unavailable` rather than wrong numbers, if folds happen all the time
 */
export async function readLedger(store: Store, query: LedgerQuery): Promise<LedgerPeriod> {
  const { accountId, webhookIds } = query;
  const period = toLedgerRange(query, query.now);
  const foldsKey = keys.ledgerFolds(accountId);
  let folds = await store.get(foldsKey);
  for (let reads = 1; reads <= maximumReads; reads++) {
    const found = await readSums(store, query, period);
    const after = await store.get(foldsKey);
    // What a fold moves between two reads is missed, or counted twice.
    if (after !== folds) {
      folds = after;
      continue;
    }
    return {
      since: period.since,
      until: period.until,
      stepSeconds: period.stepSeconds,
      all: toPoints(period, found.get("")),
      byWebhook: new Map(
        (webhookIds ?? [...found.keys()].filter((id) => id !== "").toSorted()).map((id) => [
          id,
          toPoints(period, found.get(id)),
        ]),
      ),
    };
  }
  throw new StorageError(
    "unavailable",
    `the ledger of account ${accountId} changed in each of ${maximumReads} reads: try again`,
  );
}

/** The sums of each webhook that was asked for, and of all as `""`, by the beginning of their step. */
type Found = Map<string, Map<number, Sums>>;

async function readSums(store: Store, query: LedgerQuery, period: LedgerRange): Promise<Found> {
  const { accountId, webhookIds, projectId, event, byWebhook = webhookIds !== undefined } = query;
  const [first, end] = [period.since / minuteMs, period.until / minuteMs];
  const found: Found = new Map();
  const wanted = webhookIds && new Set(webhookIds);
  const isWanted = (site: unknown, name: unknown): boolean =>
    (projectId ?? site) === site && (event ?? name) === name;
  const count = (webhookId: string, minute: number, field: string, amount: number): void => {
    const at = startOf(minute * minuteMs, period.stepSeconds);
    for (const name of byWebhook ? ["", webhookId] : [""]) {
      const points = getOrAdd(found, name, () => new Map<number, Sums>());
      addSum(
        getOrAdd(points, at, () => new Map<string, number>()),
        field,
        amount,
      );
    }
  };
  const open = keys.ledgerSums(accountId);
  const pages = listPages(store, { prefix: open, after: [...open, first], before: [...open, end], pageSize });
  for await (const page of pages)
    for (const { key, value } of page) {
      const [minute, webhookId, site, name, field] = key.slice(open.length);
      if ((wanted?.has(String(webhookId)) ?? true) && isWanted(site, name))
        count(String(webhookId), Number(minute), String(field), Number(value));
    }
  const steps = keys.ledgerRows(accountId, period.rows.seconds);
  const ids = webhookIds ?? (await listGroups(store, steps));
  const readRows = async (webhookId: string): Promise<void> => {
    const prefix = keys.ledgerRows(accountId, period.rows.seconds, webhookId);
    // A key comes before the longer keys that begin with it.
    const range = { after: [...prefix, first], before: [...prefix, end] } as const;
    for await (const page of listPages(store, { prefix, ...range, pageSize }))
      for (const { key, value } of page) {
        const [minute, site] = key.slice(prefix.length);
        if ((projectId ?? site) !== site) continue;
        for (const [name, sums] of parseReadableSums(value))
          if (isWanted(site, name))
            for (const [field, amount] of sums) count(webhookId, Number(minute), field, amount);
      }
  };
  const waiting = ids.values();
  await Promise.all(
    Array.from({ length: webhooksAtOnce }, async () => {
      for (const id of waiting) await readRows(id);
    }),
  );
  return found;
}

/** The different parts that follow a prefix. */
async function listGroups(store: Store, prefix: Key): Promise<string[]> {
  const found: string[] = [];
  for await (const page of listPages(store, { prefix, groupBy: 1, pageSize }))
    found.push(...page.map(({ key }) => String(key[prefix.length])));
  return found;
}

function toPoints(
  { since, until, stepSeconds }: LedgerRange,
  found: ReadonlyMap<number, Sums> = new Map(),
): LedgerPoint[] {
  return Array.from({ length: (until - since) / (stepSeconds * 1_000) }, (_, index) => {
    const at = since + index * stepSeconds * 1_000;
    return { at, counts: toCounts(found.get(at) ?? new Map()) };
  });
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const created = create();
  map.set(key, created);
  return created;
}
