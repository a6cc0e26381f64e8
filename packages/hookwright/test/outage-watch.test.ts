import { expect, it } from "vitest";
import { createFakeClock } from "../../delivery/test/support/fake-clock.ts";
import { createOutageWatch } from "../src/readiness/outage-watch.ts";

function open() {
  const clock = createFakeClock();
  const state = { ready: false, checks: 0 };
  const watch = createOutageWatch({
    clock,
    check: async () => {
      state.checks += 1;
      return state.ready ? { ready: true } : { ready: false, problem: "unavailable" };
    },
  });
  return { clock, state, watch };
}

it("a failure starts one check a second, until the storage is available", async () => {
  const { clock, state, watch } = open();
  for (let failure = 0; failure < 100; failure++) watch.note();
  await clock.advance(3_000);
  expect(state.checks).toBe(4);
  state.ready = true;
  await clock.advance(10_000);
  expect([state.checks, clock.timers]).toEqual([5, 0]);
  watch.note();
  await clock.advance(1_000);
  expect(state.checks).toBe(6);
});

it("closing ends the checks", async () => {
  const { clock, state, watch } = open();
  watch.note();
  await clock.advance(1_000);
  watch.close();
  watch.note();
  await clock.advance(10_000);
  expect([state.checks, clock.timers]).toEqual([2, 0]);
});
