import { followTable, type Transition, type TransitionTable } from "./transition.ts";

export const deliveryStates = ["pending", "delivered", "failed", "cancelled"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const deliveryInputs = ["accept", "retry", "give_up", "cancel"] as const;
/**
 * `accept`: a 2xx in time. `retry`: a failed attempt with tries left. `give_up`: the last try failed, or the endpoint
 * answered 410. `cancel`: the record or the webhook is gone, or the webhook no longer sends.
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
// The three on the right are final: what has been accepted is never sent again, and a resend is a new delivery.
const table: TransitionTable<DeliveryState, DeliveryInput> = {
  pending: { accept: "delivered", retry: "pending", give_up: "failed", cancel: "cancelled" },
  delivered: {},
  failed: {},
  cancelled: {},
};

/** The only way a delivery changes its state. */
export function moveDelivery(state: DeliveryState, input: DeliveryInput): Transition<DeliveryState> {
  return followTable(
    table,
    state,
    input,
    (from) => `A delivery that is ${from} has ended and does not change. Resend it to try again.`,
  );
}
