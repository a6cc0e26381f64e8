import { followTable, type Transition, type TransitionTable } from "./transition.ts";

export const webhookStates = ["active", "paused", "switched_off", "removed"] as const;
export type WebhookState = (typeof webhookStates)[number];

export const webhookInputs = [
  "pause",
  "resume",
  "turn_on",
  "switch_off",
  "gone",
  "remove",
  "key_revoked",
] as const;
/** `switch_off`: 30 consecutive failures. `gone`: the endpoint answered 410. `remove`: DELETE. */
export type WebhookInput = (typeof webhookInputs)[number];

// Specification, section 3.1.
//
//               pause
//   (created) ─► active ───────► paused
//                │  ▲ ▲ resume    │
//     switch_off │  │ └───────────┤
//                ▼  │ turn_on     │
//            switched_off         │
//                │                │
//                └──► removed ◄───┘   gone, remove, key_revoked: from each of the three
//
// An attempt in flight can be the 30th failure of a paused webhook. `switch_off` is rejected then, because the owner has
// paused it. The count stays, so the first failure after resuming switches the webhook off.
const table: TransitionTable<WebhookState, WebhookInput> = {
  active: {
    pause: "paused",
    switch_off: "switched_off",
    gone: "removed",
    remove: "removed",
    key_revoked: "removed",
  },
  paused: { resume: "active", gone: "removed", remove: "removed", key_revoked: "removed" },
  switched_off: { turn_on: "active", gone: "removed", remove: "removed", key_revoked: "removed" },
  removed: {},
};

/** Returns the next state of a webhook. All state changes use it. */
export function moveWebhook(state: WebhookState, input: WebhookInput): Transition<WebhookState> {
  return followTable(table, state, input, refusal);
}

const verbs: Readonly<Record<WebhookInput, string>> = {
  pause: "paused",
  resume: "resumed",
  turn_on: "turned on",
  switch_off: "disabled",
  gone: "removed",
  remove: "removed",
  key_revoked: "removed",
};

const nextSteps: Readonly<Record<WebhookState, string>> = {
  active: "It is already sending.",
  paused: "Resume it to send again.",
  switched_off: "Turn it on once the endpoint works.",
  removed: "Create a new one.",
};

function refusal(state: WebhookState, input: WebhookInput): string {
  const word = state === "switched_off" ? "disabled" : state;
  return `A webhook that is ${word} cannot be ${verbs[input]}. ${nextSteps[state]}`;
}
