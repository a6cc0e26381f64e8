import * as fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import type { Asked, Passed } from "./differential/asked.ts";
import { consoleRequests } from "./differential/console-requests.ts";
import { hostRequests } from "./differential/host-requests.ts";
import { openPrograms } from "./differential/programs.ts";
import { publicRequests } from "./differential/public-requests.ts";
import { createWalk } from "./differential/walk.ts";
import { stopStorages, storages } from "./end-to-end/support/storages.ts";

/**
 * Every run of all tests asks the same; `DIFFERENTIALS=100` asks others, in as many histories. What fast-check prints of a failure
 * brings it back.
 */
const { DIFFERENTIALS } = process.env;
const options =
  DIFFERENTIALS === undefined
    ? { numRuns: 2, seed: 20_261_122, endOnFailure: true }
    : { numRuns: Number(DIFFERENTIALS) };
const timeout = 60_000 + options.numRuns * 20_000;

/** A cluster takes long to start, and what is its own is in the suite of the storage. */
const compared = storages.filter(({ name }) => name !== "a Redis Cluster");

const passed: fc.Arbitrary<Passed> = fc.record({
  type: fc.constant("pass"),
  ms: fc.constantFrom(999, 60_000, 86_400_000),
});
const step: fc.Arbitrary<Asked | Passed> = fc.oneof(
  { weight: 10, arbitrary: publicRequests },
  { weight: 9, arbitrary: hostRequests },
  { weight: 6, arbitrary: consoleRequests },
  { weight: 1, arbitrary: passed },
);
/** Few and long: signing in to all of the programs takes as long as hundreds of requests. */
const steps = fc.array(step, { minLength: 300, maxLength: 400, size: "max" });

afterAll(stopStorages);

it(
  "whatever is asked for, in whatever order, every storage answers alike, no refusal changes anything, and pages miss nothing",
  { timeout },
  async () => {
    expect(compared.length).toBeGreaterThan(2);
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        await using programs = await openPrograms(compared);
        const walks = [
          createWalk(programs, "/v1/orders", 2),
          createWalk(programs, "/v1/contacts", 3),
          createWalk(programs, "/v1/webhooks", 2),
          createWalk(programs, "/console/api/deliveries", 4),
        ];
        for (const [index, one] of all.entries()) {
          await programs.perform(one);
          if (index % 5 === 0) await walks[(index / 5) % walks.length]?.turn();
        }
      }),
      options,
    );
  },
);
