import { createHookwright } from "hookwright";
import { applyHeapSettings } from "../../reference-server/src/heap-settings.ts";
import { benchSecret, publishAndDeliver } from "../harness/deliver.ts";
import { fillEndpoints, toProjectId } from "../harness/fill.ts";
import { memoryMegabytes } from "../harness/process-usage.ts";
import { quietLogger } from "../harness/quiet-logger.ts";
import { openBenchStore, toLocation } from "../harness/storages.ts";

/**
 * Delivers from a filled storage to all of its endpoints in turn. Its arguments are the storage, the number of endpoints, the
 * number of the first order, `single` or `many` events at once, and perhaps the origin of accounts with one endpoint each, which
 * it creates first. Each message of the parent is a number of deliveries, and the response has the results.
 */
const [storage = "", endpointsText, firstOrderText, kind, origin] = process.argv.slice(2);
const endpoints = Number(endpointsText);
let order = Number(firstOrderText);
const isSingle = kind === "single";
/** Prime, so that steps of this width reach every endpoint, and neighbours are of different accounts. */
const step = 7_919;

function nextEvent() {
  order += 1;
  return { projectId: toProjectId((order * step) % endpoints), order };
}

applyHeapSettings(toLocation(storage).type);
const store = await openBenchStore(storage);
if (origin !== undefined) await fillEndpoints(store, { count: endpoints, ofAccount: 1, origin });
const hookwright = await createHookwright({
  store,
  secret: benchSecret,
  privateTargets: true,
  logger: quietLogger,
});
process.on("message", async (deliveries) => {
  const load = { webhooks: 1, nextEvent, ...(isSingle ? { atOnce: 1 } : { pollMs: 10 }) };
  const figures = await publishAndDeliver(hookwright, { ...load, events: Number(deliveries) });
  const { anonymous: anonymousMegabytes } = await memoryMegabytes(process.pid);
  process.send?.({ ...figures, anonymousMegabytes });
});
process.on("disconnect", async () => {
  await hookwright.close();
  await store.close();
  process.exit(0);
});
