import { createHookwright } from "hookwright";
import { openRedisStore } from "@hookwright/storage/redis";
import { applyHeapSettings } from "../../src/heap-settings.ts";

/** A worker in a separate process. Each message of the parent asks for its results. It exits with the parent. */
applyHeapSettings("redis");
const store = await openRedisStore({ url: process.argv[2] ?? "", onWarning: () => {} });
const hookwright = await createHookwright({
  store,
  secret: "s".repeat(32),
  privateTargets: true,
  role: "worker",
});

process.on("message", () => {
  const { recorded, partitions } = hookwright.scheduler.stats;
  const { user, system } = process.cpuUsage();
  process.send?.({ recorded, partitions, cpuMicroseconds: user + system });
});
process.on("disconnect", () => process.exit(0));
process.send?.({});
