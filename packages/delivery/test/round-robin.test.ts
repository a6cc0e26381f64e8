import fc from "fast-check";
import { expect, it } from "vitest";
import { createRoundRobin } from "../src/sending/round-robin.ts";

it("serves every flow that can start once per round", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.nat(39), { maxLength: 60 }),
      (count, blocked) => {
        const ring = createRoundRobin<number>();
        const cannotStart = new Set(blocked);
        const flows = Array.from({ length: count }, (_, index) => index);
        flows.forEach(ring.activate);
        const able = flows.filter((flow) => !cannotStart.has(flow));
        for (let round = 0; round < 3; round++) {
          const served = able.map(() => ring.next((flow) => !cannotStart.has(flow)));
          expect(new Set(served)).toEqual(new Set(able));
        }
        if (able.length === 0) expect(ring.next((flow) => !cannotStart.has(flow))).toBeUndefined();
      },
    ),
  );
});

it("puts a flow that becomes active again behind all others", () => {
  const ring = createRoundRobin<string>();
  for (const flow of ["a", "b", "c"]) ring.activate(flow);
  ring.deactivate("a");
  ring.activate("a");
  ring.activate("b");
  const any = () => true;
  expect([ring.next(any), ring.next(any), ring.next(any), ring.next(any)]).toEqual(["b", "c", "a", "b"]);
});

it("checks every flow at most once when none can start", () => {
  const ring = createRoundRobin<number>();
  for (let flow = 0; flow < 100; flow++) ring.activate(flow);
  let checks = 0;
  expect(ring.next(() => ++checks > 1_000)).toBeUndefined();
  expect(checks).toBe(100);
});
