import { applyHeapSettings } from "../../reference-server/src/heap-settings.ts";
import { openReceiver } from "../harness/receiver.ts";
import { toLocation } from "../harness/storages.ts";
import { contenders, isContenderName } from "../rivals/contenders.ts";

/** Runs one contender. Each message of the parent is a number of deliveries, and the response has the results. */
const [name = "", location = ""] = process.argv.slice(2);
if (!isContenderName(name)) throw new Error(`there is no contender ${name}`);
// The heap settings are those of the server with that storage.
applyHeapSettings(location === "file" ? "file" : toLocation(location).type);
const receiver = await openReceiver();
/** An uncounted warm-up, because a process that waited has cold caches and a small heap. */
const runUp = 6_000;
process.on("message", async (deliveries) => {
  await contenders[name]({ receiver, location }, runUp);
  process.send?.(await contenders[name]({ receiver, location }, Number(deliveries)));
});
process.on("disconnect", () => process.exit(0));
