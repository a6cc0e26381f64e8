import { setImmediate as nextTurn } from "node:timers/promises";
import { partitions } from "@hookwright/storage";
import type { Check, Entry, Key, KeyPart, Mutation, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import {
  eventsOf,
  parseSigningSecrets,
  parseWebhookHealth,
  parseWebhookRow,
} from "../storage/webhook-row.ts";
import type { SigningSecretsRow, WebhookHealthRow, WebhookRow } from "../storage/webhook-row.ts";
import { isAccount, keys } from "../storage/keys.ts";
import type { EndpointAddress } from "../storage/keys.ts";

/** More than an account may have. */
const maximumListed = 1_000;

/** Part of a commit to the partition of the account. */
export interface CommitPart {
  readonly checks: readonly Check[];
  readonly mutations: readonly Mutation[];
}

/** A row as it was read. */
export interface Stored<Row> {
  readonly row: Row;
  /** Refuses a commit if the row has changed since. */
  readonly check: Check;
}

/** The webhooks of an account, ordered by event and age; all, or those with one event in their key. */
export async function listWebhooks(
  store: Store,
  accountId: string,
  { event, limit }: { readonly event?: string | undefined; readonly limit: number },
): Promise<WebhookRow[]> {
  const entries = await store.list({ prefix: keys.webhooks(accountId, event), limit });
  return entries.map(({ value }) => parseWebhookRow(value));
}

/**
 * The webhooks of an account that have other events than the one in their key.
 *
 * @param text the row of `severalEvents`
 */
export async function readWebhooksOfSeveral(
  store: Store,
  accountId: string,
  text: string | undefined,
): Promise<WebhookRow[]> {
  const addresses = parseAddresses(accountId, text);
  if (addresses.length === 0) return [];
  const texts = await store.getMany(addresses.map(keys.webhook));
  return texts.flatMap((found) => (found === undefined ? [] : [parseWebhookRow(found)]));
}

/** The index of the webhooks with several events. A publish reads it for {@link readWebhooksOfSeveral}. */
export function severalEventsKey(accountId: string): Key {
  return keys.severalEvents(accountId);
}

/** Their addresses. */
export async function listAddressesOfSeveral(store: Store, accountId: string): Promise<EndpointAddress[]> {
  return parseAddresses(accountId, await store.get(keys.severalEvents(accountId)));
}

type IndexedWebhook = readonly [event: string, webhookId: string];

/** @param text the row of `severalEvents` */
export function parseAddresses(accountId: string, text: string | undefined): EndpointAddress[] {
  const indexed: readonly IndexedWebhook[] = text === undefined ? [] : JSON.parse(text);
  return indexed.map(([event, webhookId]) => ({ accountId, event, webhookId }));
}

/**
 * Finds a webhook by its id. The key contains the event, which may be unknown. So the webhooks of the account are listed, of which there are
 * few.
 */
export async function findWebhook(
  store: Store,
  accountId: string,
  webhookId: string,
): Promise<Stored<WebhookRow> | undefined> {
  const entries = await store.list({ prefix: keys.webhooks(accountId), limit: maximumListed });
  const found = entries.find(({ key }) => key.at(-1) === webhookId);
  return found && { row: parseWebhookRow(found.value), check: { key: found.key, value: found.value } };
}

/** Webhooks that one count reads. A start must not wait for millions of rows. */
const maximumCounted = 20_000;

/**
 * Counts the webhooks that name some events in all accounts, up to a limit of rows. A start must not fail because one webhook is damaged:
 * it counts by its key.
 */
export async function countWebhooksOf(
  store: Store,
  events: ReadonlySet<string>,
): Promise<{ readonly webhooks: ReadonlyMap<string, number>; readonly isComplete: boolean }> {
  const webhooks = new Map<string, number>();
  let read = 0;
  for await (const entries of listAllPages(store)) {
    if (read >= maximumCounted) return { webhooks, isComplete: false };
    read += entries.length;
    for (const entry of entries)
      for (const event of readEvents(entry))
        if (events.has(event)) webhooks.set(event, (webhooks.get(event) ?? 0) + 1);
  }
  return { webhooks, isComplete: true };
}

function readEvents({ key, value }: Entry): readonly string[] {
  try {
    const row: WebhookRow = JSON.parse(value);
    return eventsOf(row);
  } catch {
    return [String(key[3])];
  }
}

export interface WebhookOfAccount {
  readonly accountId: string;
  readonly row: WebhookRow;
  /** Where it is in the order of all webhooks. */
  readonly position: readonly KeyPart[];
}

/** The webhooks of all accounts. It reads as many as the caller takes, in pages. @param after a position */
export async function* readAllWebhooks(
  store: Store,
  after?: readonly KeyPart[],
): AsyncGenerator<WebhookOfAccount> {
  for await (const entries of listAllPages(store, after))
    for (const { key, value } of entries.filter(({ key: [, , owner] }) => isAccount(owner)))
      yield { accountId: String(key[2]), row: parseWebhookRow(value), position: key };
}

async function* listAllPages(store: Store, after?: readonly KeyPart[]): AsyncGenerator<readonly Entry[]> {
  const [from] = after ?? [];
  for (const partition of partitions) {
    if (typeof from === "string" && partition < from) continue;
    const start: Key | undefined = partition === from ? [partition, ...(after ?? []).slice(1)] : undefined;
    yield* listPages(store, { prefix: keys.webhooksIn(partition), after: start });
    // A partition may have less than a page.
    await nextTurn();
  }
}

/**
 * Finds the account of a webhook of any account. It costs two reads for each 64 accounts that have webhooks, so it is for rare calls, such
 * as those of support staff.
 */
export async function findAccountOfWebhook(store: Store, webhookId: string): Promise<string | undefined> {
  for (const partition of partitions) {
    const prefix = keys.signingSecretsIn(partition);
    for await (const entries of listPages(store, { prefix, groupBy: 1 })) {
      const accountIds = entries.map(({ key }) => String(key[2]));
      const texts = await store.getMany(
        accountIds.map((accountId) => keys.signingSecret({ accountId, webhookId })),
      );
      const found = accountIds.find((id, index) => isAccount(id) && texts[index] !== undefined);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The counters of webhooks, in order. */
export async function readWebhookHealth(
  store: Store,
  accountId: string,
  webhookIds: readonly string[],
): Promise<WebhookHealthRow[]> {
  const wanted = webhookIds.map((webhookId) => keys.webhookHealth({ accountId, webhookId }));
  return (await store.getMany(wanted)).map(parseWebhookHealth);
}

/** The encrypted signing secrets of webhooks, in order. `undefined`: the webhook was removed. */
export function readSigningSecrets(
  store: Store,
  accountId: string,
  webhookIds: readonly string[],
): Promise<(Stored<SigningSecretsRow> | undefined)[]> {
  const wanted = webhookIds.map((webhookId) => keys.signingSecret({ accountId, webhookId }));
  return readStored(store, wanted, parseSigningSecrets);
}

/** Prefix of the encrypted signing secrets of all accounts of a partition. Their values are {@link SigningSecretsRow}s. */
export function signingSecretsIn(partition: string): Key {
  return keys.signingSecretsIn(partition);
}

/** The secrets of one webhook of each partition that has any. */
export async function sampleSigningSecrets(store: Store): Promise<SigningSecretsRow[]> {
  const found = await Promise.all(
    partitions.map((partition) => store.list({ prefix: keys.signingSecretsIn(partition), limit: 1 })),
  );
  return found.flat().map(({ value }) => parseSigningSecrets(value));
}

/** Replaces a webhook or its secrets, unless the row has changed since it was read. */
export function replaceRow<Row extends WebhookRow | SigningSecretsRow>(
  stored: Stored<Row>,
  row: Row,
): CommitPart {
  return { checks: [stored.check], mutations: [toSet(stored.check.key, row)] };
}

/** Replaces a webhook whose URL or events change, unless a webhook of the account was added or removed since the guard was read. */
export function replaceTarget(guard: WebhookGuard, stored: Stored<WebhookRow>, row: WebhookRow): CommitPart {
  const { checks, mutations } = replaceRow(stored, row);
  return {
    checks: [guard.check, ...checks],
    mutations: [...toNextGuard(guard, { written: row }), ...mutations],
  };
}

/** Makes the worker of another process apply a change of a webhook at once, not with its next attempt. */
export function toChangeNotification(address: EndpointAddress): Key[] {
  return [keys.webhook(address)];
}

/** Sets the failures in a row to zero, and ends the back-off. {@link toChangeNotification} belongs in the same commit. */
export async function resetFailures(store: Store, address: EndpointAddress): Promise<CommitPart> {
  const key = keys.webhookHealth(address);
  const text = await store.get(key);
  const health = { ...parseWebhookHealth(text), consecutive_failures: 0, backoff_until: null };
  return {
    checks: [{ key, value: text }],
    mutations: [toSet(key, health)],
  };
}

/** Refuses a commit if a webhook of the account was added or removed since. Read it before the webhooks, unless the commit checks their rows too. */
export interface WebhookGuard {
  readonly accountId: string;
  readonly check: Check;
  /** The webhooks with several events. They change only together with the guard. */
  readonly several: readonly EndpointAddress[];
  /** Whether their index is stored. */
  readonly hasIndex: boolean;
}

export async function readWebhookGuard(store: Store, accountId: string): Promise<WebhookGuard> {
  const key = keys.webhookGuard(accountId);
  // The guard is read first. So its check also refuses a commit if what is read after it has changed.
  const [value, index] = await store.getMany([key, keys.severalEvents(accountId)]);
  const indexed = parseAddresses(accountId, index);
  // A version without webhooks of several events removes them and leaves the index as it is.
  const texts = indexed.length === 0 ? [] : await store.getMany(indexed.map(keys.webhook));
  const several = indexed.filter((_, position) => texts[position] !== undefined);
  return { accountId, check: { key, value }, several, hasIndex: index !== undefined };
}

/** Adds a webhook with its encrypted secrets. */
export function addWebhook(guard: WebhookGuard, row: WebhookRow, secrets: SigningSecretsRow): CommitPart {
  const address = { accountId: guard.accountId, event: row.event, webhookId: row.id };
  return {
    checks: [guard.check],
    mutations: [
      ...toNextGuard(guard, { written: row }),
      toSet(keys.webhook(address), row),
      toSet(keys.signingSecret(address), secrets),
    ],
  };
}

/** The guard after the removal of a webhook, in the commit that removes it. */
export function withoutWebhook(
  guard: WebhookGuard,
  { webhookId }: Pick<EndpointAddress, "webhookId">,
): WebhookGuard {
  return { ...guard, several: guard.several.filter((each) => each.webhookId !== webhookId) };
}

interface GuardedChange {
  /** A webhook that is added or replaced. */
  readonly written?: Pick<WebhookRow, "id" | "event" | "events">;
  readonly removed?: readonly Pick<EndpointAddress, "webhookId">[];
}

/** Belongs in each commit that adds or removes a webhook, or changes its URL or events. The guard is a counter. */
export function toNextGuard(
  { accountId, check: { key, value = "0" }, several, hasIndex }: WebhookGuard,
  { written, removed = [] }: GuardedChange,
): Mutation[] {
  const next: Mutation = { type: "set", key, value: String(Number(value) + 1) };
  const gone = new Set(removed.map(({ webhookId }) => webhookId));
  const after = several.filter(({ webhookId }) => !gone.has(webhookId) && webhookId !== written?.id);
  if (written?.events !== undefined) after.push({ accountId, event: written.event, webhookId: written.id });
  if (after.length === 0 && !hasIndex) return [next];
  const index = keys.severalEvents(accountId);
  const indexed = after.map(({ event, webhookId }): IndexedWebhook => [event, webhookId]);
  return [
    next,
    after.length === 0
      ? { type: "delete", key: index }
      : { type: "set", key: index, value: JSON.stringify(indexed) },
  ];
}

function toSet(key: Key, row: WebhookRow | WebhookHealthRow | SigningSecretsRow): Mutation {
  return { type: "set", key, value: JSON.stringify(row) };
}

async function readStored<Row>(
  store: Store,
  wanted: readonly Key[],
  parse: (text: string) => Row,
): Promise<(Stored<Row> | undefined)[]> {
  const texts = await store.getMany(wanted);
  return wanted.map((key, index) => {
    const value = texts[index];
    return value === undefined ? undefined : { row: parse(value), check: { key, value } };
  });
}
