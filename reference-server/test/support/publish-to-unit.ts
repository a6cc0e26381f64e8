import { readFileSync } from "node:fs";
import { callsTo, createAccount } from "../../../bench/harness/host-client.ts";
import { sampleOrder } from "../../../bench/harness/sample-order.ts";

/** Publishes to the unit on this machine: `node publish-to-unit.ts FIRST COUNT`. The first call creates the account. */
const [first = 0, count = 0] = process.argv.slice(2).map(Number);
const batch = 256;
const token = readFileSync("/etc/hookwright/host_token", "utf8").trim();
const call = callsTo("http://127.0.0.1:3000", token);
if (first === 0) await createAccount(call, "site_bench", ["https://receiver.example/orders"]);
for (let from = first; from < first + count; from += batch) {
  const size = Math.min(batch, first + count - from);
  const numbers = Array.from({ length: size }, (_, index) => from + index);
  const toEvent = (number: number) => ({
    event: "order.created",
    project_id: "site_bench",
    data: sampleOrder(number),
  });
  await call("POST", "/host/v1/events", numbers.map(toEvent));
}
