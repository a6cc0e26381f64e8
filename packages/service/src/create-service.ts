import { randomBytes as systemRandomBytes } from "node:crypto";
import { systemClock } from "@hookwright/delivery";
import { createIdSource, specificationEvents } from "@hookwright/domain";
import type { BodyForm, EventRegistry, KeptBodies } from "@hookwright/domain";
import { createAccountTotals } from "./accounts/account-totals.ts";
import { createAccounts } from "./accounts/accounts.ts";
import { createApiKeys } from "./accounts/api-keys.ts";
import { createAuthenticate } from "./accounts/authenticate.ts";
import { isRestricted, restrictService } from "./accounts/restrict-service.ts";
import { createStats } from "./accounts/read-stats.ts";
import { createProjects } from "./accounts/projects.ts";
import { createAuditLog } from "./audit/audit-log.ts";
import { defaultAuditRetentionMs } from "./rows/audit-row.ts";
import { createContacts } from "./audience/contacts.ts";
import { createEmailLists } from "./audience/email-lists.ts";
import { createSubscribers } from "./audience/subscribers.ts";
import { createSuppressions } from "./audience/suppressions.ts";
import { createConsoleEvents } from "./console-events/console-events.ts";
import { createSessions } from "./sign-in/sessions.ts";
import { createBlogPosts } from "./content/blog-posts.ts";
import type { ServiceContext } from "./context.ts";
import { createDeliveries } from "./deliveries/deliveries.ts";
import { createDeveloper } from "./deliveries/developer.ts";
import { createShares } from "./deliveries/shares.ts";
import { createReadMessages } from "./deliveries/read-messages.ts";
import { createIssues } from "./issues/issues.ts";
import { createNoticeEndpoint } from "./notices/notice-endpoint.ts";
import type { Mailer } from "./notices/notice-mail.ts";
import { createNoticeTargets } from "./notices/notice-targets.ts";
import { createListenerInbox } from "./rows/listener-inbox.ts";
import { createListeners } from "./listeners/listeners.ts";
import { createDirectory } from "./lookups/directory.ts";
import { createOverview } from "./overview/overview.ts";
import { createPeople } from "./people/people.ts";
import { createSchemaTime } from "./limits/schema-time.ts";
import { createPublish } from "./publishing/publish.ts";
import { createHostEventTypes, noDeclaredEvents } from "./records/declared-events.ts";
import type { DeclaredEvents } from "./records/declared-events.ts";
import { createDescribeEventTypes, createEventTypes } from "./records/event-types.ts";
import { createRecoveries } from "./jobs/resends/recoveries.ts";
import { createErasures } from "./jobs/erasures/erasures.ts";
import { createResends } from "./jobs/resends/resends.ts";
import { createOrders } from "./records/orders.ts";
import { createRecords } from "./records/records.ts";
import { createRejectedEvents } from "./outbox/rejected-events.ts";
import type { BlogPostRepository } from "./repositories/blog-post-repository.ts";
import { createBlogPostsOfHost } from "./repositories/blog-posts-of-host.ts";
import type { ContactRepository } from "./repositories/contact-repository.ts";
import { createContactsOfHost } from "./repositories/contacts-of-host.ts";
import type { OrderRepository } from "./repositories/order-repository.ts";
import { createFindOrdersOfHost, createOrdersOfHost } from "./repositories/orders-of-host.ts";
import { createSearch } from "./search/search.ts";
import type { ServerKeys } from "./secrets/server-keys.ts";
import { createSigning } from "./secrets/signing.ts";
import { createArrivals } from "./store/positions.ts";
import { createEventStreams } from "./streams/event-streams.ts";
import { createStreamAccessChecks } from "./streams/stream-access.ts";
import type { Service } from "./use-cases.ts";
import { createWebhookActions } from "./jobs/webhook-actions/webhook-actions.ts";
import { createTestSlots } from "./webhooks/test-slots.ts";
import { createWebhooks } from "./webhooks/webhooks.ts";

type GivenContext = Pick<
  ServiceContext,
  | "store"
  | "worker"
  | "testSender"
  | "targetPolicy"
  | "consoleTokenSeconds"
  | "onSubscribed"
  | "onAudited"
  | "onFailedAuthentication"
  | "onError"
>;

export interface ServiceOptions extends GivenContext {
  /** The known events. @default the events of the specification */
  readonly events?: EventRegistry | undefined;
  /** Those that the host declares, in the same registry. @default the host can declare none */
  readonly declaredEvents?: DeclaredEvents | undefined;
  /** The keys of cursors and signing secrets, and the salts of passwords. */
  readonly serverKeys: ServerKeys;
  /** Until when logs have bodies, unless the host has set it for the account. @default "all" */
  readonly keptBodies?: KeptBodies | undefined;
  /** The form of bodies, unless a webhook has its own. @default "hookwright" */
  readonly bodyForm?: BodyForm | undefined;
  /** How long entries of the audit log are kept. @default 90 days */
  readonly auditRetentionMs?: number | undefined;
  /** Whether deliveries also have the headers of Standard Webhooks. @default false */
  readonly standardWebhooks?: boolean | undefined;
  /** The prefix of the names of the signed headers. @default "X-Service" */
  readonly headerPrefix?: string | undefined;
  /** Data that the host keeps itself. */
  readonly repositories?: Repositories | undefined;
  /** The outboxes from which events are published: their rows are removed with an account, and rejected ones are listed. @default none */
  readonly outboxes?: ServiceContext["outboxes"] | undefined;
  /** Connections that the process may hold. Streams of events use at most half of them, and tests an eighth. @default no limit */
  readonly maximumConnections?: number | undefined;
  /** Sends the links that confirm addresses for notices. @default only the address of the account can get mails */
  readonly mailer?: Mailer | undefined;
  /** The URL of the console, for those links. @default only the address of the account can get mails */
  readonly consoleUrl?: string | undefined;
  /** The trace of the caller, as a W3C `traceparent`. It travels with the deliveries. @default not traced */
  readonly traceParent?: (() => string | undefined) | undefined;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** Cryptographically random bytes. @default `randomBytes` of `node:crypto` */
  readonly randomBytes?: ((size: number) => Uint8Array) | undefined;
}

export interface Repositories {
  /** @default contacts are kept in `store` */
  readonly contacts?: ContactRepository | undefined;
  /** @default published orders are kept in `store` */
  readonly orders?: OrderRepository | undefined;
  /** @default blog posts are kept in `store` */
  readonly blogPosts?: BlogPostRepository | undefined;
}

/** The use cases of the integration API over one store. They know no HTTP: `@hookwright/api` serves them. */
export function createService(options: ServiceOptions): Service {
  const { store, serverKeys, repositories = {}, maximumConnections } = options;
  const { declaredEvents = noDeclaredEvents } = options;
  const { now = Date.now, randomBytes = systemRandomBytes } = options;
  const { contacts, orders, blogPosts } = repositories;
  const newId = createIdSource({ now, randomBytes });
  const context: ServiceContext = {
    store,
    events: options.events ?? specificationEvents,
    directory: createDirectory({ store }),
    cursors: serverKeys.cursors,
    signing: createSigning({ ...options, serverKeys }),
    worker: options.worker,
    testSender: options.testSender,
    listenerInbox: createListenerInbox({ writer: newId("lsn") }),
    schemaTime: createSchemaTime({ now }),
    targetPolicy: options.targetPolicy,
    now,
    randomBytes,
    newId,
    nextArrival: createArrivals(now),
    passwordSalt: serverKeys.passwordSalt,
    consoleTokenSeconds: options.consoleTokenSeconds,
    keptBodies: options.keptBodies ?? "all",
    bodyForm: options.bodyForm ?? "hookwright",
    auditRetentionMs: options.auditRetentionMs ?? defaultAuditRetentionMs,
    onAudited: options.onAudited,
    onFailedAuthentication: options.onFailedAuthentication,
    onSubscribed: options.onSubscribed,
    keepsContacts: contacts === undefined,
    findOrdersOfHost:
      orders &&
      createFindOrdersOfHost({ store, cursors: serverKeys.cursors, now, onError: options.onError }, orders),
    outboxes: options.outboxes ?? [],
    traceParent: options.traceParent ?? (() => undefined),
    onError: options.onError,
  };
  const { publish, publishRow, publishMany, validateEvent, checkEvent } = createPublish(context);
  const testSlots = createTestSlots({ maximumConnections });
  const deliveries = createDeliveries(context);
  const webhooks = { ...createWebhooks(context, testSlots), ...createRecoveries(context) };
  const resends = createResends(context);
  const authenticate = createAuthenticate(context);
  const readTotals = createAccountTotals(context);
  const streams = createEventStreams({
    clock: systemClock,
    accessChecks: createStreamAccessChecks({ store, authenticate, clock: systemClock, now }),
    maximumConnections,
  });
  const service: Service = {
    authenticate,
    restrictTo: (caller) => (isRestricted(caller) ? restrictService(context, service, caller) : undefined),
    sessions: createSessions(context),
    people: createPeople(context),
    publish,
    publishRow,
    publishMany,
    validateEvent,
    checkEvent,
    accounts: createAccounts(context, readTotals),
    stats: createStats(context, readTotals),
    search: createSearch(context),
    audit: createAuditLog(context),
    projects: createProjects(context),
    emailLists: createEmailLists(context),
    apiKeys: createApiKeys(context),
    webhooks,
    webhookActions: createWebhookActions(context),
    rejectedEvents: createRejectedEvents(context, { checkEvent }),
    resends,
    orders: orders === undefined ? createOrders(context) : createOrdersOfHost(context, orders),
    deliveries,
    shares: createShares(context, serverKeys),
    noticeEndpoint: createNoticeEndpoint(context),
    noticeTargets: createNoticeTargets(context, { ...options, clock: systemClock }),
    issues: createIssues(context),
    overview: createOverview(context, webhooks),
    records: createRecords(context),
    contacts: contacts === undefined ? createContacts(context) : createContactsOfHost(context, contacts),
    erasures: createErasures(context),
    blogPosts: blogPosts === undefined ? createBlogPosts(context) : createBlogPostsOfHost(context, blogPosts),
    eventTypes: createEventTypes(context),
    describeEventTypes: createDescribeEventTypes(context),
    subscribers: createSubscribers(context),
    suppressions: createSuppressions(context),
    hostEventTypes: createHostEventTypes(context, declaredEvents),
    developer: createDeveloper(context, deliveries, webhooks, resends),
    listeners: createListeners(
      context,
      createReadMessages({
        store,
        events: context.events,
        orders,
        bodyForm: context.bodyForm,
        onError: options.onError,
      }),
      streams,
    ),
    consoleEvents: createConsoleEvents({
      store,
      streams,
      events: context.events,
      clock: systemClock,
      onError: options.onError,
    }),
    testsEnded: testSlots.ended,
  };
  return service;
}
