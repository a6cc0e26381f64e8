import type { Entry, Key } from "@hookwright/storage";
import { logKeyOf } from "./log/delivery-log.ts";
import { addressOf } from "./enqueue.ts";
import { parseNamedSums } from "./ledger/named-sums.ts";
import { parseDeliveryRow } from "./storage/delivery-codec.ts";
import type { DeliveryRow } from "./storage/delivery-row.ts";
import type { SigningSecretsRow, WebhookRow } from "./storage/webhook-row.ts";
import {
  failedDeliveriesTable,
  issuesTable,
  keys,
  readDueAt,
  readEndpointAddress,
  removedWebhookTable,
  severalEventsTable,
} from "./storage/keys.ts";
import { parseAddresses } from "./webhooks/webhook-store.ts";

/** What an intact store has beside a row. */
export interface Expectation {
  /** One of these rows must be there. */
  readonly keys: readonly [Key, ...Key[]];
  /** What is wrong if none is: `has no entry in the delivery log`. */
  readonly problem: string;
  /** Whether the text of the first key that is there is right. @default any text is */
  readonly accepts?: (text: string) => boolean;
}

/**
 * The rule of one kind of row.
 *
 * @throws any error for a row that cannot be decoded
 */
export type StoreRule = (entry: Entry) => readonly Expectation[];

/** What an intact store looks like: the rows of this package by the second part of their key. */
export const deliveryStoreRules: Readonly<Record<string, StoreRule>> = {
  delivery({ key, value }) {
    const row = parse(value);
    const accountId = ownerOf(key);
    expectSame(row.id, key.at(-1));
    const expected: Expectation[] = [
      { keys: [logKeyOf(accountId, row)], problem: "has no entry in the delivery log" },
    ];
    if (row.status !== "pending") return expected;
    if (row.next_attempt_at === null) throw new TypeError("it is pending and has no next attempt");
    const retry = keys.retry(addressOf(accountId, row), row.next_attempt_at, row.id);
    return [...expected, { keys: [retry], problem: "is pending and has no entry in the retry queue" }];
  },

  "delivery-log"({ key }) {
    const [, , , event, webhookId, projectId, status, kind, deliveryId] = key;
    return [
      {
        keys: [keys.delivery(ownerOf(key), String(deliveryId))],
        problem: "is an entry of the delivery log whose delivery is missing or has other properties",
        accepts(text) {
          const row = parse(text);
          return (
            row.event === event &&
            row.webhook_id === webhookId &&
            row.project_id === projectId &&
            row.status === status &&
            row.kind === kind
          );
        },
      },
    ];
  },

  fresh({ key, value }) {
    const row = parse(value);
    expectSame(row.id, key.at(-1));
    const { event, webhookId } = addressOf(ownerOf(key), row);
    expectSame(webhookId, key[4]);
    expectSame(event, key[3]);
    expectSame(row.status, "pending");
    return [webhookOf(key)];
  },

  retry({ key }) {
    const deliveryId = String(key.at(-1));
    const dueAt = readDueAt(key);
    return [
      {
        keys: [keys.delivery(ownerOf(key), deliveryId)],
        problem: "is an entry of the retry queue whose delivery is missing or not due then",
        accepts(text) {
          const row = parse(text);
          return row.status === "pending" && row.next_attempt_at === dueAt;
        },
      },
      webhookOf(key),
    ];
  },

  webhook({ key, value }) {
    const row: WebhookRow = JSON.parse(value);
    expectSame(row.id, key.at(-1));
    expectSame(row.event, key[3]);
    for (const rate of [row.max_per_second ?? 1, row.host_max_per_second ?? 1]) {
      expectCount(rate);
      if (rate < 1) throw new TypeError("a limit is less than 1");
    }
    expectFlag(row.ordered ?? false);
    const accountId = ownerOf(key);
    const secret = keys.signingSecret({ accountId, webhookId: row.id });
    const expected: Expectation = { keys: [secret], problem: "has no signing secret" };
    if (row.events === undefined) return [expected];
    return [
      expected,
      {
        keys: [keys.severalEvents(accountId)],
        problem: "has several events and is not in their index",
        accepts: (text) => parseAddresses(accountId, text).some(({ webhookId }) => webhookId === row.id),
      },
    ];
  },

  /** It may name webhooks that an older version removed. Its next change leaves them out. */
  [severalEventsTable]({ key, value }) {
    parseAddresses(ownerOf(key), value);
    return [];
  },

  "signing-secret"({ key, value }) {
    const row: SigningSecretsRow = JSON.parse(value);
    expectSame(row.webhook_id, key.at(-1));
    expectText(row.current);
    return [];
  },

  ledger({ value }) {
    parseNamedSums(value);
    return [];
  },

  "ledger-open"({ value }) {
    expectCount(Number(value));
    return [];
  },

  "webhook-health": parsesOnly,
  [issuesTable]: parsesOnly,
  [failedDeliveriesTable]: parsesOnly,
  [removedWebhookTable]: parsesOnly,
  lease: parsesOnly,
  worker: parsesOnly,
};

function parsesOnly({ value }: Entry): readonly Expectation[] {
  JSON.parse(value);
  return [];
}

/** Deliveries of a removed webhook are cancelled one by one. */
function webhookOf(key: Key): Expectation {
  const address = readEndpointAddress(key);
  if (address === undefined) throw new TypeError("its key names no webhook");
  return {
    keys: [keys.webhook(address), keys.removedWebhook(address)],
    problem: "is queued for a webhook that does not exist",
  };
}

function parse(text: string): DeliveryRow {
  const row = parseDeliveryRow(text);
  expectText(row.webhook_id);
  expectText(row.project_id);
  expectText(row.status);
  return row;
}

function ownerOf([, , accountId]: Key): string {
  return String(accountId);
}

function expectSame(actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new TypeError("it does not match its key");
}

function expectCount(value: unknown): void {
  if (!Number.isSafeInteger(value)) throw new TypeError("a count is no whole number");
}

function expectFlag(value: unknown): void {
  if (typeof value !== "boolean") throw new TypeError("a field has another type");
}

function expectText(value: unknown): void {
  if (typeof value !== "string") throw new TypeError("a field has another type");
}
