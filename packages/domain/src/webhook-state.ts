import { followTable, type Transition, type TransitionTable } from "./transition.ts";

export const webhookStates = ["active", "paused", "switched_off", "disabled_by_host", "removed"] as const;
export type WebhookState = (typeof webhookStates)[number];

export const webhookInputs = [
  "pause",
  "resume",
  "turn_on",
  "switch_off",
  "gone",
  "remove",
  "key_revoked",
  "disable",
  "enable",
  "enable_paused",
  "enable_switched_off",
] as const;
/**
 * `switch_off`: too many consecutive failures, 30 by default. `gone`: the endpoint answered 410. `remove`: DELETE. `disable`, `enable`: the operator.
 * `enable_paused`, `enable_switched_off`: it is enabled, and was paused or switched off before it was disabled.
 */
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
//                └──► removed ◄───┘   gone, remove, key_revoked: from each of the others
//
//   active, paused, switched_off ── disable ──► disabled_by_host ── enable… ──► the state before
//
// An attempt in flight can be the 30th failure of a paused webhook. `switch_off` is rejected then, because the owner has
// paused it. The count stays, so the first failure after resuming switches the webhook off.
const table: TransitionTable<WebhookState, WebhookInput> = {
  active: {
    pause: "paused",
    switch_off: "switched_off",
    disable: "disabled_by_host",
    gone: "removed",
    remove: "removed",
    key_revoked: "removed",
  },
  paused: {
    resume: "active",
    disable: "disabled_by_host",
    gone: "removed",
    remove: "removed",
    key_revoked: "removed",
  },
  switched_off: {
    turn_on: "active",
    disable: "disabled_by_host",
    gone: "removed",
    remove: "removed",
    key_revoked: "removed",
  },
  disabled_by_host: {
    enable: "active",
    enable_paused: "paused",
    enable_switched_off: "switched_off",
    gone: "removed",
    remove: "removed",
    key_revoked: "removed",
  },
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
  disable: "disabled",
  enable: "enabled",
  enable_paused: "enabled",
  enable_switched_off: "enabled",
};

const words: Readonly<Record<WebhookState, string>> = {
  active: "active",
  paused: "paused",
  switched_off: "disabled",
  disabled_by_host: "disabled by the operator",
  removed: "removed",
};

const nextSteps: Readonly<Record<WebhookState, string>> = {
  active: "It is already sending.",
  paused: "Resume it to send again.",
  switched_off: "Turn it on once the endpoint works.",
  disabled_by_host: "Only the operator can enable it again.",
  removed: "Create a new one.",
};

function refusal(state: WebhookState, input: WebhookInput): string {
  return `A webhook that is ${words[state]} cannot be ${verbs[input]}. ${nextSteps[state]}`;
}
