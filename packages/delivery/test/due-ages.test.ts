import { expect, it } from "vitest";
import { accepted } from "./support/fake-transport.ts";
import { createWorld } from "./support/fake-world.ts";
import { createDueAges } from "../src/sending/due-ages.ts";
import { EndpointLimits } from "../src/sending/endpoint-limits.ts";
import { countPartitions } from "../src/waiting-deliveries.ts";
import type { LeaseChange } from "../src/worker-observer.ts";

function createLimits() {
  return new EndpointLimits({ maximumBackoffMs: 30_000, random: () => 0.5 });
}

it("the oldest due delivery is that of the oldest partition, by the health of its endpoint", () => {
  let time = 100_000;
  const ages = createDueAges({ now: () => time, staleAfterMs: 15_000 });
  const queue = { isOrdered: false };
  const healthy = { limits: createLimits(), queue };
  const failing = { limits: createLimits(), queue };
  failing.limits.onResult(false, { startedAt: 0, endedAt: 1 });
  const first = ages.startScan("p00");
  first.see(99_000, healthy);
  first.see(40_000, failing);
  first.see(undefined, healthy);
  // A retry of later.
  first.see(200_000, healthy);
  first.end();
  const second = ages.startScan("p01");
  second.see(97_000, healthy);
  second.end();
  expect(ages.oldest()).toEqual({ healthy: 3_000, failing: 60_000 });
  ages.forget("p01");
  expect(ages.oldest()).toEqual({ healthy: 1_000, failing: 60_000 });
  time += 20_000;
  // No scan has succeeded since.
  expect(ages.oldest()).toEqual({ healthy: 21_000, failing: 80_000 });
});

it("deliveries that wait because of the limit or the order of their webhook are no lag of the workers", async () => {
  const world = createWorld();
  const worker = world.worker();
  await world.addWebhook("wh_limited", { max_per_second: 1 });
  await world.addWebhook("wh_ordered", { ordered: true });
  await worker.start();
  world.transport.answerWith(
    () => new Promise((resolve) => world.clock.schedule(() => resolve(accepted()), 900)),
  );
  const records = Array.from({ length: 60 }, (_, index) => `rec_${index}`);
  for (const id of ["wh_limited", "wh_ordered"]) worker.offer("acc_1", await world.publish(id, ...records));
  await world.clock.advance(30_000);
  expect(worker.stats.oldestDueMs).toMatchObject({ healthy: 0, failing: expect.any(Number) });
  expect(worker.stats.oldestDueMs.failing).toBeGreaterThan(20_000);
  const closing = worker.close();
  await world.clock.advance(15_000);
  await closing;
});

it("a delivery that no attempt can start for is due longer and longer, and counted in its partition", async () => {
  const world = createWorld();
  await using worker = world.worker({ poolSize: 0 });
  await world.addWebhook("wh_1");
  await worker.start();
  worker.offer("acc_1", await world.publish("wh_1", "rec_1", "rec_2"));
  await world.clock.advance(20_000);
  expect(worker.stats.oldestDueMs.healthy).toBeGreaterThanOrEqual(15_000);
  expect(await countPartitions(world.store, worker.heldPartitions(), { limit: 10 })).toEqual({
    newDeliveries: 2,
    retries: 0,
    webhooks: { active: 1, paused: 0, switched_off: 0, disabled_by_host: 0 },
  });
  const { newDeliveries } = await countPartitions(world.store, worker.heldPartitions(), { limit: 1 });
  expect(newDeliveries).toBe(1);
});

it("an observer learns of leases, back-offs and cancelled deliveries, and may throw", async () => {
  const world = createWorld();
  const seen: string[] = [];
  await using worker = world.worker({
    retryDelaysSeconds: [],
    observer: {
      onLeaseChange: (change: LeaseChange) => void seen.push(change),
      onBackoff: () => void seen.push("backoff"),
      onCancelled({ status }) {
        seen.push(status);
        throw new Error("broken observer");
      },
    },
  });
  await world.addWebhook("wh_1");
  await worker.start();
  world.refuseMessages("record_deleted");
  worker.offer("acc_1", await world.publish("wh_1", "rec_1"));
  await world.clock.advance(1_000);
  await worker.close();
  expect(seen).toEqual(["acquired", "cancelled", "released"]);
  expect(world.errors).toEqual([new Error("broken observer")]);
});
