import { createHookwright } from "hookwright";
import { applyHeapSettings } from "../../reference-server/src/heap-settings.ts";
import { benchSecret, publishAndDeliver } from "../harness/deliver.ts";
import { toProjectId } from "../harness/fill.ts";
import { memoryMegabytes } from "../harness/process-usage.ts";
import { openBenchStore, toLocation } from "../harness/storages.ts";

/**
 * Delivers from a filled storage to all of its endpoints in turn. Its arguments are the storage, the number of endpoints, the
 * number of the first order and, if events are published one by one, `single`. The message of the parent is a number of
 * deliveries, and the response has the results.
 */
const [storage = "", endpointsText, firstOrderText, kind] = process.argv.slice(2);
const endpoints = Number(endpointsText);
let order = Number(firstOrderText);
const isSingle = kind === "single";
/** V8 compiles the last functions of a delivery after some thousand. */
const warmUp = isSingle ? 2_000 : 8_000;
/** Prime, so that steps of this width reach every endpoint, and neighbours are of different accounts. */
const step = 7_919;

function nextEvent() {
  order += 1;
  return { projectId: toProjectId((order * step) % endpoints), order };
}

applyHeapSettings(toLocation(storage).type);
const store = await openBenchStore(storage);
const hookwright = await createHookwright({ store, secret: benchSecret, privateTargets: true });
process.on("message", async (deliveries) => {
  const load = { webhooks: 1, nextEvent, ...(isSingle ? { atOnce: 1 } : { pollMs: 10 }) };
  await publishAndDeliver(hookwright, { ...load, events: warmUp });
  const figures = await publishAndDeliver(hookwright, { ...load, events: Number(deliveries) });
  const total = warmUp + Number(deliveries);
  const { anonymous: anonymousMegabytes } = await memoryMegabytes(process.pid);
  process.send?.({ ...figures, total, anonymousMegabytes });
});
process.on("disconnect", async () => {
  await hookwright.close();
  await store.close();
  process.exit(0);
});
