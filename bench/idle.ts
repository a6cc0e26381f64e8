import { setTimeout as pause } from "node:timers/promises";
import { callsTo, createAccount } from "./harness/host-client.ts";
import { hostToken, startBenchServer } from "./harness/measured-server.ts";
import { readOptions, wholeNumber } from "./harness/options.ts";
import { cpuSeconds, memoryMegabytes } from "./harness/process-usage.ts";
import { openStorage } from "./harness/storages.ts";
import type { StorageName } from "./harness/storages.ts";
import { printTable, say } from "./harness/table.ts";

const options = readOptions(
  `npm run bench -- idle [options]

Measures the CPU time and memory of an idle built server on each storage. All servers run at once. Each has an
account, a site and a webhook, and has delivered nothing.`,
  { seconds: wholeNumber(15, "measured seconds") },
);
/** Until then the server scans its storage, and V8 compiles. */
const settlingSeconds = 20;

const budgets: Readonly<Record<StorageName, string>> = {
  memory: "≤ 90",
  file: "≤ 105",
  redis: "",
  postgres: "≤ 105",
};

async function measure(name: StorageName): Promise<Record<string, string>> {
  await using storage = await openStorage(name);
  await using server = await startBenchServer({ env: { HOOKWRIGHT_STORAGE: storage.location } });
  await createAccount(callsTo(server.url, hostToken), "site_idle", ["https://example.com/hooks"]);
  await pause(settlingSeconds * 1_000);
  const before = await cpuSeconds(server.pid);
  await pause(options.seconds * 1_000);
  const share = ((await cpuSeconds(server.pid)) - before) / options.seconds;
  const { resident, anonymous } = await memoryMegabytes(server.pid);
  return {
    "": name,
    "of a core": `${(share * 100).toFixed(2)} %`,
    "resident MB": resident.toFixed(0),
    budget: budgets[name],
    "without mapped files": anonymous.toFixed(0),
  };
}

say(`idle for ${settlingSeconds + options.seconds} s …`);
const rows = await Promise.all((["memory", "file", "redis", "postgres"] as const).map(measure));
printTable(`An idle server, for ${options.seconds} s: less than 1 % of a core`, rows);
console.log();
