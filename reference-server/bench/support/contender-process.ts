import { applyHeapSettings } from "../../src/heap-settings.ts";
import { contenders, isContenderName } from "./contenders.ts";
import { openReceiver } from "./open-receiver.ts";

/** One contender. The parent asks with a number of deliveries and gets the figures of them. */
const [name = "", redisUrl = ""] = process.argv.slice(2);
if (!isContenderName(name)) throw new Error(`there is no contender ${name}`);
const { storage, measure } = contenders[name];
applyHeapSettings(storage);
const receiver = await openReceiver();
/** Not counted: a process that has waited for its turn has cold caches, and a heap that V8 has made small. */
const runUp = 6_000;
process.on("message", async (deliveries) => {
  await measure({ receiver, redisUrl }, runUp);
  process.send?.(await measure({ receiver, redisUrl }, Number(deliveries)));
});
process.on("disconnect", () => process.exit(0));
