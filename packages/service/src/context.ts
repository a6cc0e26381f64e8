import type { CursorCodec } from "@hookwright/cursor";
import type { AttemptInput, AttemptRow, DeliveryRow, WebhookNotice, Worker } from "@hookwright/delivery";
import type {
  EventRegistry,
  IdPrefix,
  BodyForm,
  KeptBodies,
  OnError,
  Subscriber,
  TargetPolicy,
} from "@hookwright/domain";
import type { Outbox, Store } from "@hookwright/storage";
import type { FailedAuthentication } from "./use-cases.ts";
import type { AuditRow } from "./rows/audit-row.ts";
import type { Directory } from "./lookups/directory.ts";
import type { FindOrdersOfHost } from "./lookups/search-context.ts";
import type { SchemaTime } from "./limits/schema-time.ts";
import type { ListenerInbox } from "./rows/listener-inbox.ts";
import type { Signing } from "./secrets/signing.ts";

/** What use cases need of the delivery worker of this process. */
export type DeliveryWorker = Pick<Worker, "delivers" | "offer" | "rescan" | "webhookChanged">;

/** Sends tests of webhooks. The worker sends all other deliveries. */
export interface TestSender {
  readonly runAttempt: (input: AttemptInput) => Promise<AttemptRow>;
  /** Called after a test is logged, for metrics. */
  readonly onTest?: ((accountId: string, delivery: DeliveryRow, attempt: AttemptRow) => void) | undefined;
  /** Called after a test was answered with 410 and its notice is stored, for metrics. @default none */
  readonly onNotice?: ((notice: WebhookNotice) => void) | undefined;
}

/** What use cases work with. Each takes only the parts that it needs. */
export interface ServiceContext {
  readonly store: Store;
  /** The known events: of the specification and of the host. */
  readonly events: EventRegistry;
  readonly directory: Directory;
  readonly cursors: CursorCodec;
  readonly signing: Signing;
  readonly worker: DeliveryWorker;
  readonly testSender: TestSender;
  readonly listenerInbox: ListenerInbox;
  /** Limits what schemas of the host may take for the data of clients. */
  readonly schemaTime: SchemaTime;
  readonly targetPolicy: TargetPolicy;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly newId: (prefix: IdPrefix) => string;
  /** Grows with every row that arrives: the order of rows of one millisecond. */
  readonly nextArrival: () => number;
  /** The salt of all passwords of an e-mail address. */
  readonly passwordSalt: (email: string) => Uint8Array;
  readonly consoleTokenSeconds: number;
  /** Until when logs have bodies, unless the host has set it for the account. */
  readonly keptBodies: KeptBodies;
  /** Of webhooks without their own. */
  readonly bodyForm: BodyForm;
  /** How long entries of the audit log are kept. */
  readonly auditRetentionMs: number;
  /** Called after a credential was refused, for log and metrics. It must neither wait nor throw. */
  readonly onFailedAuthentication?: ((failure: FailedAuthentication) => void) | undefined;
  /** Called after a change was written to the audit log, for its log line. It must not throw. */
  readonly onAudited?: ((row: AuditRow) => void) | undefined;
  /** Starts the welcome automation of the host. It is called after the commit. Its errors are logged. */
  readonly onSubscribed?: ((subscriber: Subscriber) => Promise<void> | void) | undefined;
  /** Whether customers of published records become contacts in `store`. Not if the host has its own contacts. */
  readonly keepsContacts: boolean;
  /** Searches the orders that the host keeps. `undefined`: published orders are kept in `store`. */
  readonly findOrdersOfHost: FindOrdersOfHost | undefined;
  /** The outboxes from which events are published. */
  readonly outboxes: readonly Pick<Outbox, "rejected" | "removeOfProjects">[];
  /** The trace of the caller, as a W3C `traceparent`. `undefined`: it is not traced. */
  readonly traceParent: () => string | undefined;
  /** Receives errors that happen after a request has succeeded. */
  readonly onError: OnError;
}
