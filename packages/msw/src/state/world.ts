import {
  createIdSource,
  defaultAccountLimits,
  defaultAccountRetention,
  defaultPlan,
  toTimestamp,
} from "@hookwright/domain";
import type {
  BlogPost,
  Contact,
  EmailList,
  HostAccount,
  IdPrefix,
  Project,
  RecordData,
  RecordSnapshot,
  Webhook,
} from "@hookwright/domain";
import type { MockEvents } from "../events/mock-events.ts";
import { createCursors } from "../lists/cursors.ts";
import type { Cursors } from "../lists/cursors.ts";
import type { Row } from "../lists/row.ts";
import { createTokens } from "../random.ts";
import type { RandomBytes, ToToken } from "../random.ts";

/** A business record: an order, a booking, a subscriber … */
export interface RecordRow extends Row<RecordData> {
  readonly kind: string;
  /** The data that was published last. A schema of an own event may not accept what it returns. */
  readonly sent: object;
  /** By own event: the fields that it has in addition to the record. */
  readonly ownFields: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly projectId: string;
  /** Its events and the stored state. */
  readonly snapshot: RecordSnapshot;
  /** The e-mail lists of a subscriber. */
  readonly listIds: readonly string[];
}

export interface WebhookRow extends Row<Webhook> {
  readonly signingSecret: string;
  /** The key that created it. `undefined` if the test created it. */
  readonly apiKey: string | undefined;
}

/** A delivery that is due. It is signed when it is taken. */
export interface DueDelivery {
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly event: string;
  readonly recordId: string;
}

/** The state of one account. Maps are by id unless stated otherwise. */
export interface World {
  readonly events: MockEvents;
  readonly now: () => number;
  readonly newId: (prefix: IdPrefix) => string;
  readonly nextArrival: () => number;
  readonly toToken: ToToken;
  readonly cursors: Cursors;
  account: HostAccount;
  readonly apiKeys: Set<string>;
  readonly projects: Map<string, Row<Project>>;
  readonly emailLists: Map<string, Row<EmailList>>;
  readonly contacts: Map<string, Row<Contact>>;
  readonly blogPosts: Map<string, Row<BlogPost>>;
  readonly webhooks: Map<string, WebhookRow>;
  /** By kind and id, because record ids are unique within a kind. */
  readonly records: Map<string, RecordRow>;
  /** Normalised addresses that bounced or complained. */
  readonly suppressions: Set<string>;
  readonly throwawayDomains: Set<string>;
  /** New subscribers by calendar month. */
  readonly newSubscribers: Map<string, number>;
  due: readonly DueDelivery[];
}

export interface WorldOptions {
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly apiKey: string;
  readonly events: MockEvents;
}

/** Creates the state of an empty account. */
export function createWorld({ now, randomBytes, apiKey, events }: WorldOptions): World {
  const toToken = createTokens(randomBytes);
  let arrivals = 0;
  return {
    events,
    now,
    newId: createIdSource({ now, randomBytes }),
    nextArrival: () => (arrivals += 1),
    toToken,
    cursors: createCursors(toToken),
    account: {
      id: "acc_1",
      name: "Analytical Bakery",
      email: "owner@example.com",
      timezone: "Europe/London",
      plan: defaultPlan,
      demo: false,
      status: "active",
      created_at: toTimestamp(now()),
      limits: defaultAccountLimits,
      retention: defaultAccountRetention,
    },
    apiKeys: new Set([apiKey]),
    projects: new Map(),
    emailLists: new Map(),
    contacts: new Map(),
    blogPosts: new Map(),
    webhooks: new Map(),
    records: new Map(),
    suppressions: new Set(),
    throwawayDomains: new Set(["mailinator.com"]),
    newSubscribers: new Map(),
    due: [],
  };
}

/** Returns a copy. Rows are immutable, so they are shared. */
export function copyWorld(world: World): World {
  return {
    ...world,
    apiKeys: new Set(world.apiKeys),
    projects: new Map(world.projects),
    emailLists: new Map(world.emailLists),
    contacts: new Map(world.contacts),
    blogPosts: new Map(world.blogPosts),
    webhooks: new Map(world.webhooks),
    records: new Map(world.records),
    suppressions: new Set(world.suppressions),
    throwawayDomains: new Set(world.throwawayDomains),
    newSubscribers: new Map(world.newSubscribers),
  };
}

/** Creates a row with the current time. */
export function toRow<Value extends { readonly id: string }>(world: World, value: Value): Row<Value> {
  return { id: value.id, createdAt: world.now(), arrival: world.nextArrival(), value };
}

export function recordKey(kind: string, id: string): string {
  return `${kind}/${id}`;
}
