import { setImmediate as nextTurn } from "node:timers/promises";
import { idsSince, isHostId, parseTimestamp } from "@hookwright/domain";
import type { AuditEntry } from "@hookwright/domain";
import { partitions } from "@hookwright/storage";
import type { Key, Store } from "@hookwright/storage";
import { readNewestOfRuns } from "@hookwright/storage/sorted-runs";
import type { ServiceContext } from "../context.ts";
import { keys } from "../rows/keys.ts";
import { openCursor } from "../store/page-cursor.ts";
import type { AuditFilters, AuditUseCases, Page, PageRequest } from "../use-cases.ts";
import { parseAuditRow, toAuditEntry } from "../rows/audit-row.ts";
import type { AuditRow } from "../rows/audit-row.ts";

/** Entries that one page reads. A page that stops there may be short, and its cursor continues behind them. */
const maximumScanned = 2_500;
/** Entries that a filtered page reads at once. */
const filteredBatchSize = 100;

type ReadContext = Pick<ServiceContext, "store" | "cursors" | "now" | "auditRetentionMs">;

/** Reads the audit log, newest first. */
export function createAuditLog(context: ReadContext): AuditUseCases {
  return {
    list: async (filters, page) => {
      const { account_id: accountId } = filters;
      if (accountId !== undefined && !isHostId(accountId)) return readPage(context, [], filters, page);
      const runs =
        accountId === undefined
          ? partitions.map((partition) => keys.auditLog(partition))
          : [keys.audit(accountId), keys.auditAfterAccount(accountId)];
      return readPage(context, runs, filters, page);
    },
    listOfAccount: (accountId, filters, page) =>
      readPage(context, [keys.audit(accountId)], { ...filters, account_id: accountId }, page),
  };
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
  const oldest = idsSince("aud", oldestAt);
  const isFiltered = action !== undefined || actor !== undefined;
  const size = isFiltered ? filteredBatchSize : page.limit + 1;
  const found: AuditRow[] = [];
  const show = (next: string | undefined): Page<AuditEntry> => ({
    rows: found.map(toAuditEntry),
    meta: { has_more: next !== undefined, next_cursor: next === undefined ? null : cursor.seal([next]) },
  });
  let last = toText(cursor.position?.[0]);
  let before = last ?? (until === undefined ? undefined : idsSince("aud", parseTimestamp(until)));
  for (let scanned = 0; ;) {
    const rows = await readNewest(store, runs, before, size);
    for (const row of rows) {
      if (row.id < oldest) return show(undefined);
      if (found.length === page.limit || scanned === maximumScanned) return show(last);
      scanned += 1;
      last = row.id;
      if (matches(row, filters)) found.push(row);
    }
    if (rows.length < size) return show(undefined);
    before = last;
    await nextTurn();
  }
}

function readNewest(
  store: Store,
  runs: readonly Key[],
  before: string | undefined,
  limit: number,
): Promise<AuditRow[]> {
  return readNewestOfRuns(store, {
    runs,
    before: before === undefined ? undefined : [before],
    limit,
    toRow: ({ value }) => parseAuditRow(value),
    compare: (left, right) => (left.id === right.id ? 0 : left.id < right.id ? 1 : -1),
  });
}

function matches({ action, actor }: AuditRow, filters: AuditFilters): boolean {
  return (
    (filters.action === undefined || action === filters.action) &&
    (filters.actor === undefined || [actor.kind, actor.id, actor.name].includes(filters.actor))
  );
}

function toText(part: unknown): string | undefined {
  return typeof part === "string" ? part : undefined;
}
