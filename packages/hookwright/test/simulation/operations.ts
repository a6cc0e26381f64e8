import * as fc from "fast-check";
import { behaviours, endpointCount } from "./endpoints.ts";
import { absences } from "./network.ts";

export const accountIds = ["acc_1", "acc_2"] as const;
export const siteOf = (accountId: string): string => `site_of_${accountId}`;
export const events = ["order.created", "order.paid"] as const;
/** The number of orders of one account. It is small, so that many operations are about the same order. */
const orderCount = 30;

const nth = fc.nat({ max: 30 });
const account = fc.constantFrom(...accountIds);

/** The operations of a run, in order. `nth` is an index into the existing objects. */
const operations = {
  publish: fc.record({
    type: fc.constant("publish"),
    account,
    order: fc.nat({ max: orderCount - 1 }),
    event: fc.constantFrom(...events),
    /** Two processes get the same request concurrently. */
    isToldTwice: fc.boolean(),
  }),
  burst: fc.record({
    type: fc.constant("burst"),
    account,
    orders: fc.integer({ min: 2, max: orderCount }),
    event: fc.constantFrom(...events),
  }),
  subscribe: fc.record({
    type: fc.constant("subscribe"),
    account,
    event: fc.constantFrom(...events),
    endpoint: fc.nat({ max: endpointCount - 1 }),
    byKey: fc.boolean(),
  }),
  manage: fc.record({
    type: fc.constant("manage"),
    action: fc.constantFrom(
      "pause",
      "resume",
      "turnOn",
      "remove",
      "rotate",
      "finishRotation",
      "cancelRotation",
      "sendTest",
    ),
    nth,
  }),
  resend: fc.record({ type: fc.constant("resend"), nth }),
  /** A job sends many again, or turns all webhooks on that are stopped. */
  resendSet: fc.record({
    type: fc.constant("resendSet"),
    account,
    set: fc.constantFrom("ended", "missed", "turnOn"),
  }),
  revokeKey: fc.record({ type: fc.constant("revokeKey"), account }),
  suspend: fc.record({ type: fc.constant("suspend"), account, suspended: fc.boolean() }),
  removeOrder: fc.record({
    type: fc.constant("removeOrder"),
    account,
    order: fc.nat({ max: orderCount - 1 }),
    /** Another order gets its id. */
    isReplaced: fc.boolean(),
  }),
  behave: fc.record({
    type: fc.constant("behave"),
    endpoint: fc.nat({ max: endpointCount - 1 }),
    behaviour: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom("accepts", "accepts slowly", "fails") },
      { weight: 3, arbitrary: fc.constantFrom(...behaviours) },
    ),
  }),
  /** A worker folds the ledger of an account, in addition to those that do it now and then. */
  fold: fc.record({ type: fc.constant("fold"), account, limit: fc.constantFrom(3, 20, 500) }),
  wait: fc.record({ type: fc.constant("wait"), ms: fc.constantFrom(5, 50, 1_000, 16_000, 70_000, 600_000) }),
} as const;

const disruptions = {
  start: fc.record({ type: fc.constant("start") }),
  close: fc.record({ type: fc.constant("close"), nth }),
  kill: fc.record({ type: fc.constant("kill"), nth }),
  stop: fc.record({ type: fc.constant("stop"), nth, ms: fc.constantFrom(500, 10_000, 16_000, 40_000) }),
  /** The machine of all processes sleeps. */
  sleep: fc.record({ type: fc.constant("sleep"), days: fc.constantFrom(1, 10, 31) }),
  takeStorageAway: fc.record({
    type: fc.constant("takeStorageAway"),
    ms: fc.constantFrom(10, 500, 5_000, 20_000),
    absence: fc.constantFrom(...absences),
  }),
} as const;

type OperationOf<Arbitraries> = {
  [Name in keyof Arbitraries]: Arbitraries[Name] extends fc.Arbitrary<infer Value> ? Value : never;
}[keyof Arbitraries];

export type Operation = OperationOf<typeof operations> | OperationOf<typeof disruptions>;

export type OperationNamed<Name> = Extract<Operation, { readonly type: Name }>;

const calm = [
  { weight: 8, arbitrary: operations.publish },
  { weight: 3, arbitrary: operations.burst },
  { weight: 2, arbitrary: operations.subscribe },
  { weight: 4, arbitrary: operations.manage },
  { weight: 2, arbitrary: operations.resend },
  { weight: 2, arbitrary: operations.resendSet },
  { weight: 1, arbitrary: operations.revokeKey },
  { weight: 1, arbitrary: operations.suspend },
  { weight: 2, arbitrary: operations.removeOrder },
  { weight: 3, arbitrary: operations.behave },
  { weight: 3, arbitrary: operations.fold },
  { weight: 8, arbitrary: operations.wait },
];

/** No process dies, and the storage stays available. */
export const calmOperations: fc.Arbitrary<Operation[]> = fc.array(fc.oneof(...calm), {
  minLength: 20,
  maxLength: 60,
});

const disturbed = [
  ...calm,
  { weight: 3, arbitrary: disruptions.start },
  { weight: 1, arbitrary: disruptions.close },
  { weight: 2, arbitrary: disruptions.kill },
  { weight: 4, arbitrary: disruptions.stop },
  { weight: 4, arbitrary: disruptions.takeStorageAway },
];

export const anyOperations: fc.Arbitrary<Operation[]> = fc.array(fc.oneof(...disturbed), {
  minLength: 20,
  maxLength: 60,
});

/** Weeks pass between the operations. */
export const longOperations: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(...disturbed, { weight: 5, arbitrary: disruptions.sleep }),
  { minLength: 20, maxLength: 60 },
);

/** So short that deliveries fail finally, and a resend of one can move its event in the ledger. */
export const retryDelaysSeconds: readonly number[] = [15, 60];
