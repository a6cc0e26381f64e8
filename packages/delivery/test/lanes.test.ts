import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { faultPauseMs } from "../src/scheduler/lanes/lane.ts";
import { createLanes } from "../src/scheduler/lanes/lanes.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { createFinishedTurns } from "./support/finished-turns.ts";

it("a webhook whose turns are put back one after the other comes to its next turn once it has rested from the last", async () => {
  const clock = createFakeClock();
  const { accepted } = createFinishedTurns({ now: clock.now });
  const deliveries = [accepted(), accepted(), accepted()].map(({ delivery }) => delivery);
  const lanes = createLanes({ store: memoryStore({ now: clock.now }), clock, onDue: () => {} });
  const lane = lanes.open(accepted().lane, { partition: "p00", isBacklog: false });
  deliveries.forEach(lane.offer);

  function putBackNext(): void {
    const { id = "" } = lane.take() ?? {};
    lane.putBack(id, clock.now() + faultPauseMs);
    lanes.wakeAt(clock.now() + faultPauseMs);
  }

  putBackNext();
  await clock.advance(5);
  putBackNext();
  await clock.advance(faultPauseMs - 1);
  expect(lanes.next({ troubled: false })).toBeUndefined();
  await clock.advance(1);
  expect(lanes.next({ troubled: false })).toBe(lane);
  expect(lane.take()?.id).toBe(deliveries[2]?.id);
});
