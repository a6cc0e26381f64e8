import { readOptions, wholeNumber } from "./harness/options.ts";
import { compareRivals } from "./harness/rivals.ts";

const options = readOptions(
  `npm run bench -- delivery [options]

Deliveries per second from publish to the recorded 2xx, as a share of the ceiling in the same round. Rounds
alternate, and the median of the ratios is printed.`,
  {
    rounds: wholeNumber(3, "measurements of each row"),
    deliveries: wholeNumber(20_000, "deliveries of a measurement"),
  },
);

await compareRivals({
  ...options,
  title: "Publish to recorded 2xx, one process",
  // V8 compiles the last functions of a delivery after some forty thousand.
  warmUp: 40_000,
  rows: [
    { name: "memory", contender: "hookwright", location: "memory", budget: "≥ 0.88" },
    { name: "filesystem", contender: "hookwright", location: "file", budget: "≥ 0.72" },
    { name: "memory, 4 webhooks an event", contender: "fourWebhooks", location: "memory" },
    { name: "filesystem, 4 webhooks an event", contender: "fourWebhooks", location: "file" },
  ],
});
