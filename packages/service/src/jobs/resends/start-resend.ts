import type { CommitPart, WebhookRow } from "@hookwright/delivery";
import type { Key, Mutation, Store } from "@hookwright/storage";
import { keys } from "../../rows/keys.ts";
import {
  parseResendRow,
  ownerOf,
  runningKeyOf,
  startOf,
  toOwnerEntry,
  toResendMutations,
} from "../../rows/resend-row.ts";
import type { ResendFilter, ResendPart, ResendRow } from "../../rows/resend-row.ts";

/** The recoveries of a webhook, and the other jobs of an account, that are kept. */
const maximumKept = 100;

/** What a job sends. */
export interface ResendRange {
  readonly filter: ResendFilter;
  readonly not_sent: boolean;
}

/** A webhook to which a job sends, and perhaps since when, or the deliveries that were chosen. */
export interface ResendTarget {
  readonly webhook: Pick<WebhookRow, "id" | "event" | "project_id">;
  /** See `ResendPart.ended_since`. */
  readonly endedSince?: number | undefined;
  readonly deliveryIds?: readonly string[] | undefined;
}

/** A job that has counted nothing yet. */
export function newResend(
  kind: ResendRow["kind"],
  range: ResendRange,
  targets: readonly ResendTarget[],
  {
    now,
    ...others
  }: Pick<ResendRow, "id" | "missing" | "key_id" | "turned_on" | "issue"> & { readonly now: number },
): ResendRow {
  const parts = targets.map(({ webhook, endedSince, deliveryIds: delivery_ids }): ResendPart => ({
    webhook_id: webhook.id,
    event: webhook.event,
    project_id: webhook.project_id,
    ...(endedSince !== undefined && { ended_since: endedSince }),
    ...(delivery_ids && { delivery_ids }),
    found: 0,
    resent: 0,
    position: startOf(range, { delivery_ids }),
  }));
  return {
    ...others,
    kind,
    ...range,
    status: "running",
    created_at: now,
    finished_at: null,
    stage: "count",
    parts,
  };
}

/** The rows that start a job. The commit fails if another recovery of the webhook runs, or a job has the same slot. */
export async function toResendStart(
  store: Store,
  accountId: string,
  job: ResendRow,
): Promise<CommitPart & { readonly notify: readonly Key[] }> {
  const runningKey = runningKeyOf(accountId, job);
  const owner = ownerOf(job);
  return {
    checks: [{ key: runningKey, value: undefined }],
    mutations: [
      ...toResendMutations(accountId, job),
      toOwnerEntry(accountId, job),
      { type: "set", key: runningKey, value: job.id },
      ...(await removeOldest(store, accountId, owner)),
    ],
    notify: [runningKey],
  };
}

/** Removes the oldest ended jobs of an owner, so that there is space for one more. */
async function removeOldest(store: Store, accountId: string, owner: string): Promise<Mutation[]> {
  const entries = await store.list({
    prefix: keys.resendsOfOwner(accountId, owner),
    limit: 2 * maximumKept,
    reverse: true,
  });
  const oldest = entries.slice(maximumKept - 1).map(({ key }) => {
    return { key, rowKey: keys.resend(accountId, String(key.at(-1))) };
  });
  const texts = await store.getMany(oldest.map(({ rowKey }) => rowKey));
  return oldest
    .filter((_, index) => !isRunning(texts[index]))
    .flatMap(({ key, rowKey }) => [key, rowKey])
    .map((key) => ({ type: "delete", key }));
}

function isRunning(text: string | undefined): boolean {
  return text !== undefined && parseResendRow(text).status === "running";
}
