import { keys, parseDeliveryRow } from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import type { Delivery } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { expectProject } from "../lookups/find-project.ts";
import { openCursor } from "../store/page-cursor.ts";
import type { DeliveryFilters, Page, PageRequest } from "../use-cases.ts";
import { toDelivery } from "./delivery-shape.ts";
import { findByText } from "./find-by-text.ts";
import { readTried, readWaiting } from "./log-sources.ts";
import type { LogEntry } from "./log-sources.ts";

/**
 * A page of the delivery log, newest first. Whatever is filtered by, it costs a seek or two for each sorted run that exists
 * (webhooks × sites × statuses × kinds), never a scan; where a window of those that wait holds little that is sought, the page is
 * short and its cursor goes on behind it.
 *
 * @throws HookwrightError `validation_failed` for a site that is not the account's, `invalid_cursor`
 */
export async function listDeliveries(
  { store, cursors }: Pick<ServiceContext, "store" | "cursors">,
  accountId: string,
  { q, ...filters }: DeliveryFilters,
  page: PageRequest,
): Promise<Page<Delivery>> {
  if (filters.project_id !== undefined) await expectProject(store, accountId, filters.project_id);
  const cursor = openCursor(cursors, { accountId, list: "deliveries", filters: { ...filters, q }, page });
  const [position] = cursor.position ?? [];
  const before = typeof position === "string" ? position : undefined;
  const { limit } = page;

  if (q !== undefined) {
    const { rows, next } = await findByText({ store, accountId, text: q, filters, before, limit });
    return {
      rows: rows.map(toDelivery),
      meta: { has_more: next !== undefined, next_cursor: next === undefined ? null : cursor.seal([next]) },
    };
  }

  const query = { store, accountId, filters, before, limit: limit + 1 };
  // In this order: a delivery whose first attempt ends between the two reads is found twice rather than not at all.
  const windows = [...(await readWaiting(query)), ...(await readTried(query))];
  const seenTo = windows.reduce<string | undefined>(
    (highest, window) =>
      window.seenTo !== undefined && window.seenTo > (highest ?? "") ? window.seenTo : highest,
    undefined,
  );
  const entries = new Map<string, LogEntry>();
  for (const entry of windows.flatMap((window) => window.entries)) {
    if (seenTo === undefined || entry.id >= seenTo) entries.set(entry.id, entry);
  }
  const sorted = [...entries.values()].sort((left, right) => (left.id < right.id ? 1 : -1));
  const shown = sorted.slice(0, limit);
  const more = sorted.length > limit || seenTo !== undefined;
  const next = sorted.length > limit ? shown.at(-1)?.id : seenTo;
  return {
    rows: (await readRows(store, accountId, shown)).map(toDelivery),
    meta: { has_more: more, next_cursor: more && next !== undefined ? cursor.seal([next]) : null },
  };
}

/** A delivery that retention has removed meanwhile is left out. */
async function readRows(
  store: ServiceContext["store"],
  accountId: string,
  entries: readonly LogEntry[],
): Promise<DeliveryRow[]> {
  const asked = entries.filter(({ row, isTried }) => row === undefined || !isTried);
  const texts = await store.getMany(asked.map(({ id }) => keys.delivery(accountId, id)));
  const found = new Map(asked.map(({ id }, index) => [id, texts[index]]));
  return entries.flatMap(({ id, row }) => {
    const text = found.get(id);
    if (text !== undefined) return [parseDeliveryRow(text)];
    return row === undefined ? [] : [row];
  });
}
