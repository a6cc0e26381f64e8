import { followTable, type Transition, type TransitionTable } from "./transition.ts";

export const deliveryStates = ["pending", "delivered", "failed", "cancelled"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const deliveryInputs = ["accept", "retry", "give_up", "cancel"] as const;
/**
 * `accept`: a 2xx in time. `retry`: a failed attempt with attempts left. `give_up`: the last attempt failed,
 * or the endpoint answered 410. `cancel`: the record or the webhook was removed, or the webhook no longer
 * sends.
 */
export type DeliveryInput = (typeof deliveryInputs)[number];

// Specification, section 3.2.
//
//              retry
//              ┌──┐
//              ▼  │
//   (created) pending ── accept ──► delivered
//              │  └───── give_up ─► failed
//              └──────── cancel ──► cancelled
//
// The three states on the right are final. A resend is a new delivery.
const table: TransitionTable<DeliveryState, DeliveryInput> = {
  pending: { accept: "delivered", retry: "pending", give_up: "failed", cancel: "cancelled" },
  delivered: {},
  failed: {},
  cancelled: {},
};

/** Returns the next state of a delivery. All state changes use it. */
export function moveDelivery(state: DeliveryState, input: DeliveryInput): Transition<DeliveryState> {
  return followTable(
    table,
    state,
    input,
    (from) => `A delivery that is ${from} has ended and does not change. Resend it to try again.`,
  );
}
