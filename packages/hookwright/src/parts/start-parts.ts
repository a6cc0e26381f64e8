import { systemClock } from "@hookwright/delivery";
import packageJson from "../../package.json" with { type: "json" };
import type { Parts } from "./build-parts.ts";
import { closeParts } from "./close-parts.ts";

/**
 * Starts the parts that the role of the process needs.
 *
 * @returns a function that closes all of them
 * @throws StorageError if the leases cannot be read
 */
export async function startParts(parts: Parts): Promise<() => Promise<void>> {
  const { options, checked, metrics, now, store, serverKeys, declaredEvents, writeCheck, worker, relays } =
    parts;
  metrics.start({
    store,
    clock: systemClock,
    now,
    worker: () => worker,
    check: writeCheck.check,
    isWritable: writeCheck.isWritable,
    relays,
    build: {
      version: packageJson.version,
      commit: options.buildCommit ?? "",
      node: process.versions.node,
      storage: store.name ?? "custom",
      role: checked.role,
    },
  });
  relays.watch();
  if (checked.role !== "api") {
    try {
      await worker.start();
    } catch (error) {
      metrics.close();
      await relays.close();
      throw error;
    }
    parts.sweeper.start();
    relays.start();
    parts.jobRunner.start();
    parts.noticeRunner.start();
  }
  const stopFollowing = [serverKeys, declaredEvents].map((each) => each.follow(systemClock));
  let closing: Promise<void> | undefined;
  return () => {
    for (const stop of stopFollowing) stop();
    metrics.close();
    closing ??= closeParts(parts);
    return closing;
  };
}
