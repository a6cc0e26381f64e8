import { followTable, type Transition, type TransitionTable } from "./transition.ts";

export const rotationStates = ["single", "rotating"] as const;
export type RotationState = (typeof rotationStates)[number];

export const rotationInputs = ["rotate", "finish", "cancel"] as const;
/** `finish` keeps the new secret, `cancel` the old one. Both leave a single secret. */
export type RotationInput = (typeof rotationInputs)[number];

// Specification, section 3.3.
//
//             rotate
//   single ───────────► rotating
//     ▲ ▲   finish (new)  │ │
//     │ └─────────────────┘ │
//     └─────────────────────┘
//           cancel (old)
const table: TransitionTable<RotationState, RotationInput> = {
  single: { rotate: "rotating" },
  rotating: { finish: "single", cancel: "single" },
};

/** Returns the next state of a webhook's signing secrets. All state changes use it. */
export function moveRotation(state: RotationState, input: RotationInput): Transition<RotationState> {
  return followTable(table, state, input, (from) =>
    from === "rotating"
      ? "A new signing secret is already waiting. Finish the rotation or cancel it first."
      : "No new signing secret is waiting. Rotate the signing secret first.",
  );
}
