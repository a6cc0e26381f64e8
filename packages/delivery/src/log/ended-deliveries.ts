import type { Key, Store } from "@hookwright/storage";
import { findFewRuns, findRuns } from "@hookwright/storage/sorted-runs";
import { findLoggedDeliveries } from "./delivery-log.ts";
import type { OnUnreadable } from "./delivery-log.ts";
import type { DeliveryKind, DeliveryRow, DeliveryStatus } from "../storage/delivery-row.ts";
import { keys } from "../storage/keys.ts";
import type { EndpointAddress } from "../storage/keys.ts";

/** Where a walk through the log of a webhook stands: the last parts of a key of its index. */
export type EndedPosition = readonly string[];

export interface EndedQuery {
  readonly accountId: string;
  readonly webhookId: string;
  readonly event: string;
  /** @default every site */
  readonly projectId?: string | undefined;
  readonly statuses: readonly DeliveryStatus[];
  readonly kinds: readonly DeliveryKind[];
  /** Only ids that are not before this text, see `idsSince`. */
  readonly from: string;
  /** Only ids before this text. @default all */
  readonly before: string | undefined;
  /** Where the last page ended. @default the beginning */
  readonly after?: EndedPosition | undefined;
  readonly limit: number;
  readonly onUnreadable: OnUnreadable;
}

export interface EndedPage {
  readonly deliveries: readonly DeliveryRow[];
  /** Where the next page begins. `undefined`: there is none. */
  readonly next: EndedPosition | undefined;
}

/** Reads of the index in one page. A webhook may have deliveries of thousands of projects. */
const maximumReads = 64;

/** The events in the log of a webhook, in order. */
export async function listLoggedEvents(
  store: Store,
  accountId: string,
  webhookId: string,
): Promise<string[]> {
  const logs = keys.logs(accountId);
  const runs = await findRuns(store, logs, [undefined, webhookId]);
  return runs.map((run) => String(run[logs.length])).toSorted();
}

/** Sites of a webhook that {@link hasAccepted} looks at. */
const maximumSites = 64;

/** Whether the log has an accepted delivery or test of a webhook. It costs one or two reads for each site. */
export async function hasAccepted(store: Store, address: EndpointAddress): Promise<boolean> {
  const accepted = [undefined, "delivered"] as const;
  const runs = await findFewRuns(store, keys.logsOfWebhook(address), accepted, 2 * maximumSites);
  return runs !== undefined && runs.length > 0;
}

/**
 * Reads the deliveries of one event and webhook with some statuses, page by page, in the order of the index: by project, status, kind and
 * age. It jumps over what is not wanted, so a million accepted deliveries cost one read for each project. A page may be empty although
 * another follows.
 */
export async function listEnded(store: Store, query: EndedQuery): Promise<EndedPage> {
  const { accountId, projectId, limit } = query;
  const prefix = keys.logsOfWebhook(query);
  const wanted = {
    ...query,
    statuses: query.statuses.toSorted(),
    kinds: query.kinds.toSorted(),
  };
  const ids: string[] = [];
  let after = query.after ?? (projectId === undefined ? undefined : [projectId]);
  const before: Key | undefined = projectId === undefined ? undefined : [...prefix, behind(projectId)];
  let isAtEnd = false;
  for (let reads = 0; reads < maximumReads && ids.length < limit && !isAtEnd; reads++) {
    const count = limit - ids.length;
    const position: Key | undefined = after && [...prefix, ...after];
    const entries = await store.list({ prefix, after: position, before, limit: count });
    isAtEnd = entries.length < count;
    for (const { key } of entries) {
      const parts = key.slice(prefix.length).map(String);
      const jump = jumpFrom(parts, wanted);
      after = jump ?? parts;
      if (jump !== undefined) {
        isAtEnd = false;
        break;
      }
      ids.push(parts.at(-1) ?? "");
    }
  }
  const deliveries = await findLoggedDeliveries(store, accountId, ids, query.onUnreadable);
  return { deliveries, next: isAtEnd ? undefined : after };
}

/** Where the walk continues if an entry is not wanted. */
function jumpFrom(
  [project = "", status = "", kind = "", id = ""]: readonly string[],
  {
    statuses,
    kinds,
    from,
    before,
  }: Pick<EndedQuery, "from" | "before"> & {
    readonly statuses: readonly string[];
    readonly kinds: readonly string[];
  },
): EndedPosition | undefined {
  if (!statuses.includes(status)) {
    const next = statuses.find((each) => each > status);
    return next === undefined ? [behind(project)] : [project, next];
  }
  if (!kinds.includes(kind)) {
    const next = kinds.find((each) => each > kind);
    return next === undefined ? [project, behind(status)] : [project, status, next];
  }
  if (id < from) return [project, status, kind, from];
  return before === undefined || id < before ? undefined : [project, status, behind(kind)];
}

/** A text behind every key that has this part, and before all others. */
function behind(part: string): string {
  return `${part}\0`;
}
