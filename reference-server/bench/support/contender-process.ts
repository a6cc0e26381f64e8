import { applyHeapSettings } from "../../src/heap-settings.ts";
import { contenders, isContenderName } from "./contenders.ts";
import { openReceiver } from "./open-receiver.ts";

/** Runs one contender. Each message of the parent is a number of deliveries, and the response has the results. */
const [name = "", serverUrl = ""] = process.argv.slice(2);
if (!isContenderName(name)) throw new Error(`there is no contender ${name}`);
const { storage, measure } = contenders[name];
applyHeapSettings(storage);
const receiver = await openReceiver();
/** An uncounted warm-up, because a process that waited has cold caches and a small heap. */
const runUp = 6_000;
process.on("message", async (deliveries) => {
  await measure({ receiver, serverUrl }, runUp);
  process.send?.(await measure({ receiver, serverUrl }, Number(deliveries)));
});
process.on("disconnect", () => process.exit(0));
