import { expect, it } from "vitest";
import { createFakeClock } from "../../delivery/test/support/fake-clock.ts";
import { createMeasurement } from "../src/metrics/measurement.ts";

it("a measurement is made only if it is read, and again after ten seconds", async () => {
  const clock = createFakeClock();
  let made = 0;
  const measurement = createMeasurement({ measure: async () => ++made, clock });
  expect([await measurement.read(), await measurement.read()]).toEqual([1, 1]);
  await clock.advance(10_000);
  expect(await measurement.read()).toBe(2);
});

it("a slow measurement does not delay its readers by more than a second, and is made less often", async () => {
  const clock = createFakeClock();
  const { promise, resolve } = Promise.withResolvers<number>();
  let made = 0;
  const measurement = createMeasurement({ measure: () => (++made, promise), clock });
  const first = measurement.read();
  await clock.advance(1_000);
  expect(await first).toBeUndefined();
  await clock.advance(1_000);
  resolve(7);
  await clock.advance(0);
  expect(await measurement.read()).toBe(7);
  await clock.advance(99_000);
  expect([await measurement.read(), made]).toEqual([7, 1]);
  await clock.advance(1_000);
  expect([await measurement.read(), made]).toEqual([7, 2]);
});

it("a value whose measurement fails is unknown", async () => {
  const clock = createFakeClock();
  let fails = false;
  const measurement = createMeasurement({
    measure: async () => {
      if (fails) throw new Error("broken");
      return 1;
    },
    clock,
  });
  expect(await measurement.read()).toBe(1);
  fails = true;
  await clock.advance(10_000);
  expect(await measurement.read()).toBeUndefined();
});
