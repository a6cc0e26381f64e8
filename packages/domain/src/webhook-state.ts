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
/** `switch_off`: 30 failed attempts in a row. `gone`: the endpoint answered 410. `remove`: DELETE. */
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
// An attempt that was in flight when its webhook was paused can still be the 30th failure. `switch_off` is refused
// then: a pause is the owner's decision and must not turn into another state behind it. The count stays, so the
// first failure after resuming switches off.
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

/** The only way a webhook changes its state. */
export function moveWebhook(state: WebhookState, input: WebhookInput): Transition<WebhookState> {
  return followTable(table, state, input, refusal);
}

const verbs: Readonly<Record<WebhookInput, string>> = {
  pause: "paused",
  resume: "resumed",
  turn_on: "turned on",
  switch_off: "switched off",
  gone: "removed",
  remove: "removed",
  key_revoked: "removed",
};

const nextSteps: Readonly<Record<WebhookState, string>> = {
  active: "It is sending already; nothing needs to be done.",
  paused: "Resume it to send again.",
  switched_off: "Turn it on once the endpoint works.",
  removed: "Create a new one.",
};

function refusal(state: WebhookState, input: WebhookInput): string {
  return `A webhook that is ${state.replace("_", " ")} cannot be ${verbs[input]}. ${nextSteps[state]}`;
}
