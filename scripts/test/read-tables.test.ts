import { expect, it } from "vitest";
import { readTables } from "../benching/read-tables.mjs";

const output = `warming up …
round 1 of 1 …

Publish to recorded 2xx, one process, 1 KiB bodies, 1 × 15,000 deliveries (medians)

                                per second   ratio     budget   CPU µs   lost
  ceiling (bare undici + HMAC)      42,900    1.00                  23
  memory                            30,118    0.70   ≥ 0.75         33      0
  filesystem, 4 webhooks                 –    0.51   ≥ 0.60         48      0

CPU time of a delivery by accounts, file (1 × 10,000 deliveries)

       CPU µs   factor   per second
  1        75     1.00       13,000
`;

it("the figures of printed tables are read by table, row and column", () => {
  const publish = "Publish to recorded 2xx, one process, 1 KiB bodies";
  const accounts = "CPU time of a delivery by accounts, file";
  expect(readTables(output)).toEqual([
    { table: publish, row: "ceiling (bare undici + HMAC)", column: "CPU µs", value: 23 },
    { table: publish, row: "memory", column: "CPU µs", value: 33 },
    { table: publish, row: "filesystem, 4 webhooks", column: "CPU µs", value: 48 },
    { table: publish, row: "ceiling (bare undici + HMAC)", column: "per second", value: 42_900 },
    { table: publish, row: "memory", column: "per second", value: 30_118 },
    { table: accounts, row: "1", column: "CPU µs", value: 75 },
    { table: accounts, row: "1", column: "per second", value: 13_000 },
  ]);
});
