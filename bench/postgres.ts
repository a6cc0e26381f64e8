import { readOptions, wholeNumber } from "./harness/options.ts";
import { compareRivals } from "./harness/rivals.ts";
import { openStorage } from "./harness/storages.ts";

const options = readOptions(
  `npm run bench -- postgres [options]

Deliveries on a PostgreSQL of its own, with fsync, from publish to the recorded 2xx, compared with the ceiling and with
graphile-worker and pg-boss with undici, which keep no log of attempts. Rounds alternate.`,
  {
    rounds: wholeNumber(3, "measurements of each row"),
    deliveries: wholeNumber(5_000, "deliveries of a measurement"),
  },
);

await using postgres = await openStorage("postgres");
const { location } = postgres;
const graphile = "graphile-worker + undici";
const boss = "pg-boss + undici";
await compareRivals({
  ...options,
  title: "Publish to recorded 2xx on PostgreSQL",
  warmUp: 6_000,
  rows: [
    { name: "Hookwright", contender: "hookwright", location },
    { name: graphile, contender: "graphileWorker", location, isSlow: true, budgetOfOurs: "" },
    {
      name: `${graphile}, added in bulk`,
      contender: "graphileWorkerInBulk",
      location,
      budgetOfOurs: "≥ 0.90",
    },
    { name: boss, contender: "pgBoss", location, isSlow: true, budgetOfOurs: "" },
    { name: `${boss}, added in bulk`, contender: "pgBossInBulk", location, budgetOfOurs: "≥ 1.05" },
  ],
});
