import { partitionOf } from "@hookwright/storage";
import type { Key, KeyPart } from "@hookwright/storage";

/** A webhook of an account. It has a queue of new deliveries and a queue of retries. */
export interface EndpointAddress {
  readonly accountId: string;
  /** `WebhookRow.event`: it stays when the events of the webhook change, so its queues stay too. */
  readonly event: string;
  readonly webhookId: string;
}

/** The filters of the log, and the delivery. */
export interface LogEntry extends Omit<EndpointAddress, "accountId"> {
  readonly projectId: string;
  readonly status: string;
  readonly kind: string;
  readonly deliveryId: string;
}

/** The place of a sum in the ledger. */
export interface LedgerSum extends Omit<EndpointAddress, "event"> {
  /** Since 1970. The one in which the event was published. */
  readonly minute: number;
  readonly projectId: string;
  readonly event: string;
  readonly field: string;
}

/** The queues of an account. A copy of an account writes them last, so that nothing is sent before the rest is there. */
export const queueTables: readonly string[] = ["retry", "fresh"];
/** The index of the webhooks with several events. */
export const severalEventsTable = "webhooks-of-several-events";
/** The numbers of the overview. Each row expires. */
export const ledgerTables: readonly string[] = [
  "ledger",
  "ledger-open",
  "ledger-folds",
  "ledger-settled",
  "ledger-totals",
];
/** Earlier versions counted in them. They expire. */
export const seriesTables: readonly string[] = ["series", "series-open"];
/** Webhooks that were removed, for 30 days. */
export const removedWebhookTable = "removed-webhook";
/** Equal failures of webhooks. */
export const issuesTable = "issues";
/** Deliveries that have finally failed and that nobody was told about yet. */
export const failedDeliveriesTable = "failed-deliveries";
/** Rows of the workers. They belong to no account. Earlier versions wrote `lease-expiry`. */
export const workerTables: readonly string[] = ["lease", "lease-expiry", "worker"];

/**
 * Every key that this package writes. The parts are stored data: they must never change. All rows of an account are in one partition, so
 * a publish is one atomic commit, and so is an attempt with its consequences.
 *
 * A delivery is in one of two places. Until its first attempt, it is the value of an entry in the queue of new deliveries. After that, it
 * has a row, an entry in the log index and, while a retry is scheduled, an entry in the retry queue.
 *
 * The keys of each delivery are written out, because an array that is made by spreading takes twice the memory.
 */
export const keys = {
  /** Ordered by event: a publish reads only the webhooks of its event, and those of `severalEvents`. */
  webhook: (address: EndpointAddress): Key => keyIn("webhook", address),
  webhooks: (accountId: string, event?: string): Key =>
    event === undefined ? keyOf("webhook", accountId) : keyOf("webhook", accountId, event),
  /** The webhooks of all accounts of a partition. */
  webhooksIn: (partition: string): Key => [partition, "webhook"],
  /** Changes when a webhook is added or removed. A commit that checks it sees all webhooks of the account. */
  webhookGuard: (accountId: string): Key => keyOf("webhook-guard", accountId),
  /** The webhooks that have other events than the one in their key, as JSON: a list of `[event, id]`. Absent for nearly all accounts. */
  severalEvents: (accountId: string): Key => keyOf(severalEventsTable, accountId),
  /** Ids are in order of creation. */
  removedWebhook: ({ accountId, webhookId }: WebhookId): Key =>
    keyOf(removedWebhookTable, accountId, webhookId),
  removedWebhooks: (accountId: string): Key => keyOf(removedWebhookTable, accountId),
  webhookHealth: ({ accountId, webhookId }: WebhookId): Key => keyOf("webhook-health", accountId, webhookId),
  /** The issues of a webhook, see `IssueRow`. */
  issues: ({ accountId, webhookId }: WebhookId): Key => keyOf(issuesTable, accountId, webhookId),
  issuesOf: (accountId: string): Key => keyOf(issuesTable, accountId),
  /** Deliveries of a webhook that have finally failed, see `FailedDeliveriesRow`. */
  failedDeliveries: ({ accountId, webhookId }: WebhookId): Key =>
    keyOf(failedDeliveriesTable, accountId, webhookId),
  failedDeliveriesIn: (partition: string): Key => [partition, failedDeliveriesTable],
  signingSecret: ({ accountId, webhookId }: WebhookId): Key => keyOf("signing-secret", accountId, webhookId),
  /** The secrets of all accounts of a partition. */
  signingSecretsIn: (partition: string): Key => [partition, "signing-secret"],

  /** In order of creation. The value is the delivery. */
  newDelivery: ({ accountId, event, webhookId }: EndpointAddress, deliveryId: string): Key => [
    partitionOf(accountId),
    "fresh",
    accountId,
    event,
    webhookId,
    deliveryId,
  ],
  newQueue: (address: EndpointAddress): Key => keyIn("fresh", address),
  newQueues: (accountId: string): Key => keyOf("fresh", accountId),
  newQueuesIn: (partition: string): Key => [partition, "fresh"],
  /** In order of due time. The value is empty, or how far ahead it was scheduled in milliseconds, if the account has its own delays. */
  retry: (address: EndpointAddress, dueAt: number, deliveryId: string): Key =>
    keyIn("retry", address, dueAt, deliveryId),
  retryQueue: (address: EndpointAddress): Key => keyIn("retry", address),
  retryQueues: (accountId: string): Key => keyOf("retry", accountId),
  retryQueuesIn: (partition: string): Key => [partition, "retry"],

  /** In order of creation. */
  delivery: (accountId: string, deliveryId: string): Key => [
    partitionOf(accountId),
    "delivery",
    accountId,
    deliveryId,
  ],
  deliveries: (accountId: string): Key => keyOf("delivery", accountId),
  deliveriesIn: (partition: string): Key => [partition, "delivery"],
  /** The index has all filters in its key. The value is the size of the row, see `renderRowSize`. */
  log: (accountId: string, { event, webhookId, projectId, status, kind, deliveryId }: LogEntry): Key => [
    partitionOf(accountId),
    "delivery-log",
    accountId,
    event,
    webhookId,
    projectId,
    status,
    kind,
    deliveryId,
  ],
  logs: (accountId: string): Key => keyOf("delivery-log", accountId),
  /** The log of one event and webhook. Its entries continue with the project. */
  logsOfWebhook: (address: EndpointAddress): Key => keyIn("delivery-log", address),

  /** A sum of the ledger that is not folded yet, see `LedgerEntry`. In order of time. */
  ledgerSum: ({ accountId, minute, webhookId, projectId, event, field }: LedgerSum): Key => [
    partitionOf(accountId),
    "ledger-open",
    accountId,
    minute,
    webhookId,
    projectId,
    event,
    field,
  ],
  ledgerSums: (accountId: string): Key => keyOf("ledger-open", accountId),
  ledgerSumsIn: (partition: string): Key => [partition, "ledger-open"],
  /** The sums of a webhook and site in one step, which begins with this minute since 1970. */
  ledgerRow: (
    { accountId, webhookId, projectId }: Pick<LedgerSum, "accountId" | "webhookId" | "projectId">,
    stepSeconds: number,
    minute: number,
  ): Key => keyOf("ledger", accountId, stepSeconds, webhookId, minute, projectId),
  /** In order of time, if the webhook is given. */
  ledgerRows: (accountId: string, stepSeconds: number, ...webhook: [webhookId?: string]): Key =>
    keyOf("ledger", accountId, stepSeconds, ...webhook.filter((id) => id !== undefined)),
  /** The number of folds. It tells a reader whether one happened meanwhile. */
  ledgerFolds: (accountId: string): Key => keyOf("ledger-folds", accountId),

  /** The totals of an account, for lists of all accounts. */
  ledgerTotals: (accountId: string): Key => keyOf("ledger-totals", accountId),
  ledgerTotalsIn: (partition: string): Key => [partition, "ledger-totals"],

  /** A resend of this event was accepted while its first delivery was pending. */
  settledEvent: (accountId: string, deliveryId: string): Key =>
    keyOf("ledger-settled", accountId, deliveryId),

  lease: (partition: string): Key => [partition, "lease"],
  workers: (): Key => ["p00", "worker"],
  worker: (workerId: string): Key => ["p00", "worker", workerId],
} as const;

type WebhookId = Pick<EndpointAddress, "accountId" | "webhookId">;

function keyIn(table: string, address: EndpointAddress, ...parts: readonly KeyPart[]): Key {
  return keyOf(table, address.accountId, address.event, address.webhookId, ...parts);
}

function keyOf(table: string, accountId: string, ...parts: readonly KeyPart[]): Key {
  return [partitionOf(accountId), table, accountId, ...parts];
}

/**
 * The endpoint of a queue entry, or of a key that begins a queue. The event may be unknown to this process: the record of a delivery is
 * all that a worker needs. `undefined`: a later version wrote another form of key.
 */
export function readEndpointAddress(key: Key): EndpointAddress | undefined {
  const [, , accountId, event, webhookId] = key;
  if (typeof accountId !== "string" || typeof event !== "string" || typeof webhookId !== "string")
    return undefined;
  return { accountId, event, webhookId };
}

/** Whether an owner of webhooks is an account. Others have white space in their id, and nobody lists their webhooks. */
export function isAccount(owner: unknown): boolean {
  return typeof owner === "string" && !owner.includes(" ");
}

/** Whether a notification is for the workers. Other packages notify their own readers. */
export function isOfWorker([, table]: Key): boolean {
  return table === "fresh" || table === "webhook";
}

/** Whether a notification is about new deliveries. Others are about removed webhooks. */
export function isOfNewQueue([, table]: Key): boolean {
  return table === "fresh";
}

/** The due time in the key of a retry. */
export function readDueAt(key: Key): number | undefined {
  const dueAt = key.at(-2);
  return typeof dueAt === "number" ? dueAt : undefined;
}

/** The status in the key of an entry of the log index. */
export function readLoggedStatus(key: Key): string {
  return String(key.at(-3));
}
