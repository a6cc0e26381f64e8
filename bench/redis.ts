import { readOptions, wholeNumber } from "./harness/options.ts";
import { compareRivals } from "./harness/rivals.ts";
import { openStorage } from "./harness/storages.ts";

const options = readOptions(
  `npm run bench -- redis [options]

Deliveries on a Redis of its own from publish to the recorded 2xx, compared with the ceiling and with BullMQ and undici
on the same Redis. Rounds alternate. \`scale --only workers\` compares one worker with more.`,
  {
    rounds: wholeNumber(3, "measurements of each row"),
    deliveries: wholeNumber(10_000, "deliveries of a measurement"),
  },
);

await using redis = await openStorage("redis");
const { location } = redis;
await compareRivals({
  ...options,
  title: "Publish to recorded 2xx on Redis",
  // V8 compiles the last functions of a delivery after some ten thousand.
  warmUp: 15_000,
  rows: [
    { name: "Hookwright", contender: "hookwright", location, budget: "≥ 0.50" },
    { name: "BullMQ + undici", contender: "bullMq", location, budgetOfOurs: "≥ 1.85" },
    { name: "BullMQ + undici, added in bulk", contender: "bullMqInBulk", location, budgetOfOurs: "" },
  ],
});
