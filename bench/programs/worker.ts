import { createHookwright } from "hookwright";
import { applyHeapSettings } from "../../reference-server/src/heap-settings.ts";
import { benchSecret } from "../harness/deliver.ts";
import { quietLogger } from "../harness/quiet-logger.ts";
import { openBenchStore, toLocation } from "../harness/storages.ts";

/** A worker in a separate process. Each message of the parent asks for its results. It exits with the parent. */
const storage = process.argv[2] ?? "";
applyHeapSettings(toLocation(storage).type);
const store = await openBenchStore(storage);
const hookwright = await createHookwright({
  store,
  secret: benchSecret,
  privateTargets: true,
  role: "worker",
  logger: quietLogger,
});

process.on("message", () => {
  const { recorded, partitions } = hookwright.scheduler.stats;
  const { user, system } = process.cpuUsage();
  process.send?.({ recorded, partitions, cpuMicroseconds: user + system });
});
process.on("disconnect", () => process.exit(0));
process.send?.("ready");
