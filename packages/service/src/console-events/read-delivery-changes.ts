import { findLoggedDeliveries, listDeliveries } from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import { toDelivery } from "../rows/delivery-shape.ts";
import type { ChangedRow, ChangeReader, ChangeReaderOptions, Changes } from "./change-feed.ts";

/** The newest deliveries that each read compares. After a burst, as many more as the last read found. */
export const newestCompared = 25;
/** New deliveries that one read finds. More of them are not sent one by one. */
export const maximumNew = 250;
/** Older deliveries that are compared too, because an attempt follows. The newest of them. */
export const pendingCompared = 100;
/** While more are pending than are followed, they are counted this often. */
const countPendingMs = 10_000;

interface Newest {
  readonly rows: readonly DeliveryRow[];
  /** True if there are older deliveries. */
  readonly isFull: boolean;
  /** True if there are others between them and those of the last read. */
  readonly hasMissed: boolean;
}

export interface DeliveryChangeReader extends ChangeReader {
  /** True while the ends of some pending deliveries are not seen, because there are too many. */
  readonly hasUnfollowed: boolean;
}

/** Finds deliveries that are new or have changed. */
export function createDeliveryChangeReader({
  store,
  accountId,
  now,
}: ChangeReaderOptions): DeliveryChangeReader {
  let known: ReadonlyMap<string, string> = new Map();
  /** Deliveries that will change. */
  let pending: readonly string[] = [];
  let hasUnfollowed = false;
  let pendingCountedAt = now();
  /** The range of ids that the last read compared. */
  let compared = { first: "", last: "" };
  let found = 0;

  async function readNewest(): Promise<Newest> {
    const read = async (limit: number) => {
      const { deliveries: rows } = await listDeliveries(store, {
        accountId,
        filters: {},
        before: undefined,
        limit,
      });
      return { rows, isFull: rows.length === limit };
    };
    const hasGap = ({ rows, isFull }: Awaited<ReturnType<typeof read>>): boolean =>
      isFull && (rows.at(-1)?.id ?? "") > compared.last;
    const few = await read(Math.min(maximumNew, newestCompared + found));
    const result = hasGap(few) ? await read(maximumNew) : few;
    return { ...result, hasMissed: hasGap(result) };
  }

  function remember({ rows, isFull }: Newest, texts: ReadonlyMap<string, string>): void {
    const listed = new Set(rows.map(({ id }) => id));
    const followed = new Set(pending);
    known = new Map([...texts].filter(([id]) => listed.has(id) || followed.has(id)));
    compared = {
      first: isFull ? (rows.at(-1)?.id ?? "") : "",
      last: [compared.last, rows[0]?.id ?? ""].toSorted()[1] ?? "",
    };
  }

  async function listPending(): Promise<readonly DeliveryRow[]> {
    pendingCountedAt = now();
    const { deliveries, next } = await listDeliveries(store, {
      accountId,
      filters: { status: "pending" },
      before: undefined,
      limit: pendingCompared,
    });
    hasUnfollowed = next !== undefined;
    return deliveries;
  }

  /** Follows the newest of these deliveries. */
  function follow(ids: readonly string[]): void {
    // Ids are ordered by time.
    const sorted = [...new Set(ids)].toSorted();
    pending = sorted.slice(-pendingCompared);
    if (sorted.length > pendingCompared) hasUnfollowed = true;
  }

  return {
    get hasUnfollowed() {
      return hasUnfollowed;
    },
    async start() {
      const waiting = await listPending();
      follow(waiting.map(({ id }) => id));
      const newest = await readNewest();
      follow([...pending, ...newest.rows.filter(isPending).map(({ id }) => id)]);
      remember(newest, toTexts([...waiting, ...newest.rows]));
    },
    async read(): Promise<Changes> {
      const wasUnfollowed = hasUnfollowed;
      const isCountDue = wasUnfollowed && now() - pendingCountedAt >= countPendingMs;
      const waiting = isCountDue ? await listPending() : [];
      const newest = await readNewest();
      const listed = new Set(newest.rows.map(({ id }) => id));
      const others = pending.filter((id) => !listed.has(id));
      const older = await findLoggedDeliveries(store, accountId, others);
      const rows = [...newest.rows, ...older].sort((left, right) => (left.id < right.id ? -1 : 1));
      const texts = new Map([...toTexts(waiting), ...toTexts(rows)]);
      // Without an attempt, a delivery that left the newest ones has not changed.
      for (const id of others) if (!texts.has(id)) texts.set(id, known.get(id) ?? "");
      const followed = new Set(pending);
      // Others are older than everything that was compared, and were there before.
      const mayHaveChanged = (id: string): boolean =>
        id > compared.first || known.has(id) || followed.has(id);
      const changed = rows.flatMap(({ id }): ChangedRow[] => {
        const text = texts.get(id) ?? "";
        return known.get(id) === text || !mayHaveChanged(id) ? [] : [{ event: "delivery", id, text }];
      });
      found = newest.rows.filter(({ id }) => id > compared.last).length;
      follow([
        ...[...waiting, ...rows].filter(isPending).map(({ id }) => id),
        ...others.filter((id) => !older.some((row) => row.id === id)),
      ]);
      remember(newest, texts);
      return { rows: changed, hasMissed: newest.hasMissed || (wasUnfollowed && !hasUnfollowed) };
    },
  };
}

function toTexts(rows: readonly DeliveryRow[]): Map<string, string> {
  return new Map(rows.map((row) => [row.id, JSON.stringify(toDelivery(row))]));
}

function isPending({ status }: DeliveryRow): boolean {
  return status === "pending";
}
