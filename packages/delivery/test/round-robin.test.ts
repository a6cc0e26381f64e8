import fc from "fast-check";
import { expect, it } from "vitest";
import { createRoundRobin } from "../src/sending/round-robin.ts";
import type { Flow } from "../src/sending/round-robin.ts";

const any = () => true;
const createFlows = (count: number): Flow[] => Array.from({ length: count }, () => ({ lastTurn: 0 }));

it("serves every flow that can start once per round", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.nat(39), { maxLength: 60 }),
      (count, blocked) => {
        const ring = createRoundRobin();
        const flows = createFlows(count);
        flows.forEach(ring.activate);
        const cannotStart = new Set(blocked.map((index) => flows[index]));
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
  const ring = createRoundRobin();
  const [a, b, c] = createFlows(3) as [Flow, Flow, Flow];
  for (const flow of [a, b, c]) ring.activate(flow);
  ring.deactivate(a);
  ring.activate(a);
  ring.activate(b);
  expect([ring.next(any), ring.next(any), ring.next(any), ring.next(any)]).toEqual([b, c, a, b]);
});

it("checks every flow at most once when none can start", () => {
  const ring = createRoundRobin();
  createFlows(100).forEach((flow, index) =>
    index % 2 === 0 ? ring.activate(flow) : ring.activateAhead(flow),
  );
  let checks = 0;
  expect(ring.next(() => ++checks > 1_000)).toBeUndefined();
  expect(checks).toBe(100);
});

it("a flow that is activated ahead passes those that wait, and each of them only once", () => {
  const ring = createRoundRobin<Flow & { readonly name: string }>();
  const waiting = ["a", "b", "c"].map((name) => ({ name, lastTurn: 0 }));
  waiting.forEach(ring.activate);
  const passing = { name: "passing", lastTurn: 0 };
  const served: (string | undefined)[] = [];
  for (let turn = 0; turn < 8; turn++) {
    ring.deactivate(passing);
    ring.activateAhead(passing);
    served.push(ring.next(any)?.name);
  }
  expect(served).toEqual(["passing", "a", "b", "c", "passing", "a", "b", "c"]);
});

it("no flow gets two turns while another one waits, unless that one cannot start at its turn", () => {
  const action = fc.record({
    flow: fc.nat(5),
    type: fc.constantFrom("activate", "ahead", "deactivate", "next"),
    blocked: fc.uniqueArray(fc.nat(5)),
  });
  fc.assert(
    fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
      const ring = createRoundRobin();
      const flows = createFlows(6);
      /** How often the others were served since a flow was activated, or could not start at its turn. */
      const waiting = new Map<Flow, Flow[]>();
      for (const { flow: index, type, blocked } of actions) {
        const flow = flows[index];
        if (flow === undefined) continue;
        if (type === "deactivate") {
          ring.deactivate(flow);
          waiting.delete(flow);
        } else if (type === "next") {
          const cannotStart = new Set(blocked.map((each) => flows[each]));
          const served = ring.next((next) => {
            waiting.set(next, []);
            return !cannotStart.has(next);
          });
          if (served === undefined) continue;
          for (const [other, turns] of waiting) if (other !== served) turns.push(served);
        } else {
          if (type === "ahead") ring.activateAhead(flow);
          else ring.activate(flow);
          if (!waiting.has(flow)) waiting.set(flow, []);
        }
        for (const others of waiting.values()) expect(new Set(others).size).toBe(others.length);
      }
    }),
  );
});
