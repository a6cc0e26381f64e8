import type { Key, Mutation, Store } from "@hookwright/storage";
import { initialHealth, parseWebhookHealth } from "../storage/webhook-row.ts";
import type { RemovedWebhookRow, WebhookHealthRow, WebhookRow } from "../storage/webhook-row.ts";
import { keys } from "../storage/keys.ts";
import type { EndpointAddress } from "../storage/keys.ts";
import { toNextGuard } from "./webhook-store.ts";
import type { CommitPart, WebhookGuard } from "./webhook-store.ts";

/** How long a removed webhook can be read, unless the operator had disabled it. */
export const removedWebhookLifetimeMs = 30 * 24 * 60 * 60 * 1_000;

export interface WebhookRemoval extends CommitPart {
  /** Makes the worker of another process cancel the pending deliveries. */
  readonly notify: readonly Key[];
  /** For the worker of this process. */
  readonly endpoints: readonly EndpointAddress[];
  /** What stays readable. */
  readonly removed: readonly RemovedWebhookRow[];
}

export interface RemovalOptions {
  readonly reason: RemovedWebhookRow["reason"];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Removes webhooks. They stay readable for 30 days, without secrets and headers. Their deliveries stay: workers cancel the pending ones
 * in batches, because there may be a million.
 */
export async function removeWebhooks(
  store: Store,
  guard: WebhookGuard,
  webhooks: readonly WebhookRow[],
  options: RemovalOptions,
): Promise<WebhookRemoval> {
  const { accountId } = guard;
  const texts = await store.getMany(
    webhooks.map(({ id }) => keys.webhookHealth({ accountId, webhookId: id })),
  );
  const counted = webhooks.map((row, index) => ({ row, health: readHealth(texts[index]) }));
  return toRemoval(guard, counted, options);
}

/** Counters that cannot be read must not keep a webhook. */
function readHealth(text: string | undefined): WebhookHealthRow {
  try {
    return parseWebhookHealth(text);
  } catch {
    return initialHealth;
  }
}

/** The same for webhooks whose counters are known. */
export function toRemoval(
  guard: WebhookGuard,
  webhooks: readonly { readonly row: WebhookRow; readonly health: WebhookHealthRow }[],
  { reason, now }: RemovalOptions,
): WebhookRemoval {
  const { accountId, check } = guard;
  const endpoints = webhooks.map(({ row: { event, id } }) => ({ accountId, event, webhookId: id }));
  const deleted = endpoints
    .flatMap((address) =>
      [keys.webhook, keys.signingSecret, keys.webhookHealth, keys.issues, keys.failedDeliveries].map(
        (keyOf) => keyOf(address),
      ),
    )
    .map((key): Mutation => ({ type: "delete", key }));
  const removed = webhooks.map(({ row: { status: _status, ...row }, health }): RemovedWebhookRow => {
    const { consecutive_failures, last_success_at, last_failure_at } = health;
    return { ...row, reason, removed_at: now, consecutive_failures, last_success_at, last_failure_at };
  });
  const kept = removed.map((row): Mutation => {
    const key = keys.removedWebhook({ accountId, webhookId: row.id });
    // Its URL stays refused until the operator enables it, so it stays readable.
    const expiresAt = row.disabled === undefined ? now + removedWebhookLifetimeMs : undefined;
    return { type: "set", key, value: JSON.stringify(row), expiresAt };
  });
  return {
    checks: [check],
    mutations:
      endpoints.length === 0 ? [] : [...deleted, ...kept, ...toNextGuard(guard, { removed: endpoints })],
    notify: endpoints.map(keys.webhook),
    endpoints,
    removed,
  };
}

/** The row of a removed webhook that the operator enables. From then on it can be read for 30 days, as any other. */
export function enableRemoved(
  accountId: string,
  { disabled: _disabled, ...row }: RemovedWebhookRow,
  now: number,
): Mutation {
  return {
    type: "set",
    key: keys.removedWebhook({ accountId, webhookId: row.id }),
    value: JSON.stringify(row),
    expiresAt: now + removedWebhookLifetimeMs,
  };
}

export async function findRemovedWebhook(
  store: Store,
  accountId: string,
  webhookId: string,
): Promise<RemovedWebhookRow | undefined> {
  const text = await store.get(keys.removedWebhook({ accountId, webhookId }));
  return text === undefined ? undefined : JSON.parse(text);
}

/** The removed webhooks of an account, those that were created last first. */
export async function listRemovedWebhooks(
  store: Store,
  accountId: string,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number },
): Promise<RemovedWebhookRow[]> {
  const entries = await store.list({
    prefix: keys.removedWebhooks(accountId),
    before: before === undefined ? undefined : keys.removedWebhook({ accountId, webhookId: before }),
    limit,
    reverse: true,
  });
  return entries.map(({ value }): RemovedWebhookRow => JSON.parse(value));
}

export interface SweepRemovedOptions {
  readonly store: Store;
  readonly accountId: string;
  /** Awaited between two batches, so that other work runs. */
  readonly pause: () => Promise<void>;
  /** Removed webhooks kept for each account. @default 10,000 */
  readonly maximumKept?: number | undefined;
}

const sweptAtOnce = 500;

/** Removes the oldest removed webhooks of an account above a number. A program may create and remove webhooks all day. */
export async function sweepRemovedWebhooks({
  store,
  accountId,
  pause,
  maximumKept = 10_000,
}: SweepRemovedOptions): Promise<void> {
  const prefix = keys.removedWebhooks(accountId);
  let count = 0;
  for (let before: Key | undefined; ;) {
    const entries = await store.list({ prefix, before, limit: sweptAtOnce, reverse: true });
    const excess = entries.slice(Math.max(0, maximumKept - count));
    count += entries.length;
    before = entries.at(-1)?.key;
    if (excess.length > 0)
      await store.commit(prefix[0], { mutations: excess.map(({ key }) => ({ type: "delete", key })) });
    if (entries.length < sweptAtOnce) return;
    await pause();
  }
}
