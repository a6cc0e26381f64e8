import * as fc from "fast-check";
import { expect, it } from "vitest";
import { useQuickScrypt } from "../../../service/test/support/quick-scrypt.ts";
import type { RandomRequest, ClockAdvance } from "../differential/random-request.ts";
import { consoleRequests } from "../differential/console-requests.ts";
import { hostRequests } from "../differential/host-requests.ts";
import { openPrograms } from "../differential/programs.ts";
import { publicRequests } from "../differential/public-requests.ts";
import { createListReader } from "../differential/list-reader.ts";
import { everyStorage } from "./support/storages.ts";

useQuickScrypt();

/** `DIFFERENTIALS=100` plays 100 histories. */
const { DIFFERENTIALS } = process.env;
const numRuns = Number(DIFFERENTIALS ?? 2);
const options = { numRuns, endOnFailure: DIFFERENTIALS === undefined };
const timeout = 60_000 + numRuns * 20_000;

/** A cluster starts slowly, and the storage suite covers its differences. */
const compared = everyStorage.filter(({ name }) => name !== "a Redis Cluster");

const clockAdvance: fc.Arbitrary<ClockAdvance> = fc.record({
  type: fc.constant("advance"),
  ms: fc.constantFrom(999, 60_000, 86_400_000),
});
const step: fc.Arbitrary<RandomRequest | ClockAdvance> = fc.oneof(
  { weight: 10, arbitrary: publicRequests },
  { weight: 9, arbitrary: hostRequests },
  { weight: 6, arbitrary: consoleRequests },
  { weight: 1, arbitrary: clockAdvance },
);
/** Few and long, because signing in to all programs takes as long as hundreds of requests. */
const steps = fc.array(step, { minLength: 300, maxLength: 400, size: "max" });

it(
  "all storages give the same responses in every history, refused requests change nothing, and pages are complete",
  { timeout },
  async () => {
    expect(compared.length).toBeGreaterThan(2);
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        await using programs = await openPrograms(compared);
        const readers = [
          createListReader(programs, "/v1/orders", 2),
          createListReader(programs, "/v1/contacts", 3),
          createListReader(programs, "/v1/webhooks", 2),
          createListReader(programs, "/console/api/deliveries", 4),
        ];
        for (const [index, one] of all.entries()) {
          await programs.perform(one);
          if (index % 5 === 0) await readers[(index / 5) % readers.length]?.readNextPage();
        }
      }),
      options,
    );
  },
);
