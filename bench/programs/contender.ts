import { applyHeapSettings } from "../../reference-server/src/heap-settings.ts";
import { openReceiver } from "../harness/receiver.ts";
import { toLocation } from "../harness/storages.ts";
import { contenders, isContenderName } from "../rivals/contenders.ts";

/** Runs one contender. Each message of the parent is a number of deliveries, and the response has the results. */
const [name = "", location = "", runUp = ""] = process.argv.slice(2);
if (!isContenderName(name)) throw new Error(`there is no contender ${name}`);
// The heap settings are those of the server with that storage.
applyHeapSettings(location === "file" ? "file" : toLocation(location).type);
const receiver = await openReceiver();
process.on("message", async (deliveries) => {
  // An uncounted warm-up, because a process that waited has cold caches and a small heap.
  await contenders[name]({ receiver, location }, Number(runUp));
  process.send?.(await contenders[name]({ receiver, location }, Number(deliveries)));
});
process.on("disconnect", () => process.exit(0));
