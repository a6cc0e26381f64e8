import { describe, expect, it } from "vitest";
import { deliveryInputs, deliveryStates, moveDelivery } from "../src/delivery-state.ts";
import { moveRotation, rotationInputs, rotationStates } from "../src/rotation-state.ts";
import type { Transition } from "../src/transition.ts";
import { moveWebhook, webhookInputs, webhookStates } from "../src/webhook-state.ts";

// All transitions, written a second time. "-" is a rejection.
const webhook = `
                  pause   resume  turn_on  switch_off    gone     remove   key_revoked  disable           enable  enable_paused  enable_switched_off
active            paused  -       -        switched_off  removed  removed  removed      disabled_by_host  -       -              -
paused            -       active  -        -             removed  removed  removed      disabled_by_host  -       -              -
switched_off      -       -       active   -             removed  removed  removed      disabled_by_host  -       -              -
disabled_by_host  -       -       -        -             removed  removed  removed      -                 active  paused         switched_off
removed           -       -       -        -             -        -        -            -                 -       -              -`;

const delivery = `
           accept     retry    give_up  cancel
pending    delivered  pending  failed   cancelled
delivered  -          -        -        -
failed     -          -        -        -
cancelled  -          -        -        -`;

const rotation = `
          rotate    finish  cancel
single    rotating  -       -
rotating  -         single  single`;

function cells(table: string): [state: string, input: string, next: string][] {
  const [head = [], ...rows] = table
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
  return rows.flatMap(([state = "", ...nexts]) =>
    nexts.map((next, column): [string, string, string] => [state, head[column] ?? "", next]),
  );
}

function drawn<State extends string, Input extends string>(
  states: readonly State[],
  inputs: readonly Input[],
  move: (state: State, input: Input) => Transition<State>,
): [string, string, string][] {
  return states.flatMap((state) =>
    inputs.map((input): [string, string, string] => {
      const moved = move(state, input);
      return [state, input, moved.ok ? moved.state : "-"];
    }),
  );
}

describe("the transitions of", () => {
  it("a webhook", () => {
    expect(drawn(webhookStates, webhookInputs, moveWebhook)).toStrictEqual(cells(webhook));
  });

  it("a delivery", () => {
    expect(drawn(deliveryStates, deliveryInputs, moveDelivery)).toStrictEqual(cells(delivery));
  });

  it("a rotation of signing secrets", () => {
    expect(drawn(rotationStates, rotationInputs, moveRotation)).toStrictEqual(cells(rotation));
  });
});

describe("a rejected transition", () => {
  it("explains the state and the next step", () => {
    const moves: Transition<string>[] = [
      ...webhookStates.flatMap((state) => webhookInputs.map((input) => moveWebhook(state, input))),
      ...deliveryStates.flatMap((state) => deliveryInputs.map((input) => moveDelivery(state, input))),
      ...rotationStates.flatMap((state) => rotationInputs.map((input) => moveRotation(state, input))),
    ];
    const reasons = moves.flatMap((moved) => (moved.ok ? [] : [moved.reason]));
    expect(reasons).toHaveLength(48);
    for (const reason of reasons) expect(reason).toMatch(/^[A-Z][^_.]+\. [A-Z][^_.]+\.$/);
  });
});
