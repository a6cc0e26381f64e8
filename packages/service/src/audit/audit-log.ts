import { setImmediate as nextTurn } from "node:timers/promises";
import { idsSince, isHostId, parseTimestamp } from "@hookwright/domain";
import type { AuditEntry, ListedAuditEntry } from "@hookwright/domain";
import { partitions } from "@hookwright/storage";
import type { Key, Store } from "@hookwright/storage";
import { readNewestOfRuns } from "@hookwright/storage/sorted-runs";
import type { ServiceContext } from "../context.ts";
import { parseAccountRow } from "../rows/account-row.ts";
import { keys } from "../rows/keys.ts";
import { openCursor } from "../store/page-cursor.ts";
import { scan } from "../store/scan.ts";
import type { AuditFilters, AuditUseCases, Page, PageRequest } from "../use-cases.ts";
import { parseAuditRow, toAuditEntry } from "../rows/audit-row.ts";
import type { AuditRow } from "../rows/audit-row.ts";

/** Entries that a filtered page reads at once. */
const filteredBatchSize = 100;

type ReadContext = Pick<ServiceContext, "store" | "cursors" | "now" | "auditRetentionMs">;

/** Reads the audit log, newest first. */
export function createAuditLog(context: ReadContext): AuditUseCases {
  return {
    list: async (filters, page) => {
      const { account_id: accountId } = filters;
      const runs =
        accountId === undefined
          ? partitions.map((partition) => keys.auditLog(partition))
          : isHostId(accountId)
            ? [keys.audit(accountId), keys.auditAfterAccount(accountId)]
            : [];
      return withNames(context, await readPage(context, runs, filters, page));
    },
    listOfAccount: (accountId, filters, page) =>
      readPage(context, [keys.audit(accountId)], { ...filters, account_id: accountId }, page),
  };
}

async function withNames(
  { store }: Pick<ReadContext, "store">,
  { rows, meta }: Page<AuditEntry>,
): Promise<Page<ListedAuditEntry>> {
  const ids = [...new Set(rows.flatMap(({ account_id: id }) => id ?? []))];
  const accounts = await store.getMany(ids.map((id) => keys.account(id)));
  const names = new Map<string | null, string>();
  accounts.forEach((text, index) => {
    const id = ids[index];
    if (text !== undefined && id !== undefined) names.set(id, parseAccountRow(text).name);
  });
  return { rows: rows.map((row) => ({ ...row, account_name: names.get(row.account_id) ?? null })), meta };
}

async function readPage(
  { store, cursors, now, auditRetentionMs }: ReadContext,
  runs: readonly Key[],
  filters: AuditFilters,
  page: PageRequest,
): Promise<Page<AuditEntry>> {
  const { account_id: accountId = "", action, actor, since, until } = filters;
  const cursor = openCursor(cursors, {
    accountId,
    list: runs.length === 1 ? "audit" : "host-audit",
    filters: { action, actor, since, until },
    page,
  });
  const oldestAt = Math.max(now() - auditRetentionMs, since === undefined ? 0 : parseTimestamp(since));
  const isFiltered = action !== undefined || actor !== undefined;
  const entries = readNewest(store, runs, {
    before: cursor.id ?? (until === undefined ? undefined : idsSince("aud", parseTimestamp(until))),
    oldest: idsSince("aud", oldestAt),
    batchSize: isFiltered ? filteredBatchSize : page.limit + 1,
  });
  const { found, next } = await scan(entries, {
    limit: page.limit,
    positionOf: ({ id }) => [id],
    matches: (row) => matches(row, filters),
  });
  return { rows: found.map(toAuditEntry), meta: cursor.toMeta(next) };
}

interface NewestQuery {
  readonly before: string | undefined;
  /** The id of the oldest entry that is shown, or one before it. */
  readonly oldest: string;
  readonly batchSize: number;
}

async function* readNewest(
  store: Store,
  runs: readonly Key[],
  { before: first, oldest, batchSize }: NewestQuery,
): AsyncGenerator<AuditRow> {
  for (let before = first; ;) {
    const rows = await readNewestOfRuns(store, {
      runs,
      before: before === undefined ? undefined : [before],
      limit: batchSize,
      toRow: ({ value }) => parseAuditRow(value),
      compare: (left, right) => (left.id === right.id ? 0 : left.id < right.id ? 1 : -1),
    });
    const shown = rows.filter(({ id }) => id >= oldest);
    yield* shown;
    if (shown.length < batchSize) return;
    before = rows.at(-1)?.id;
    await nextTurn();
  }
}

function matches({ action, actor }: AuditRow, filters: AuditFilters): boolean {
  return (
    (filters.action === undefined || action === filters.action) &&
    (filters.actor === undefined || [actor.kind, actor.id, actor.name].includes(filters.actor))
  );
}
