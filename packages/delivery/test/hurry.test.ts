import type { Key } from "@hookwright/storage";
import { expect, it } from "vitest";
import type { Message } from "../src/sending/load-attempts.ts";
import { listWaiting } from "../src/waiting-deliveries.ts";
import type { WaitingDelivery } from "../src/waiting-deliveries.ts";
import { accountId, createWorld } from "./support/fake-world.ts";
import type { World } from "./support/fake-world.ts";
import { answered } from "./support/fake-transport.ts";

/** A webhook with an endpoint that fails. The records `gone_…` can be removed. */
async function openWorld(webhook: Parameters<World["addWebhook"]>[1] = {}) {
  const world = createWorld();
  world.transport.answerWith(() => answered(500));
  await world.addWebhook("wh_1", webhook);
  let areGone = false;
  const worker = world.worker({
    retryDelaysSeconds: [3_600],
    readMessages: async (_, deliveries) =>
      deliveries.map(({ record_id: id }): Message =>
        areGone && id.startsWith("gone_")
          ? { ok: false, reason: "record_deleted" }
          : { ok: true, body: `{"id":"${id}"}` },
      ),
  });
  await worker.start();
  return {
    world,
    worker,
    async send(...recordIds: string[]): Promise<void> {
      worker.offer(accountId, await world.publish("wh_1", ...recordIds));
      await world.clock.advance(0);
    },
    removeRecords: () => void (areGone = true),
  };
}

async function listGone({ store }: World): Promise<readonly WaitingDelivery[]> {
  const gone: WaitingDelivery[] = [];
  let after: Key | undefined;
  do {
    const page = await listWaiting(store, accountId, { after, limit: 7 });
    gone.push(...page.waiting.filter(({ delivery }) => delivery.record_id.startsWith("gone_")));
    after = page.next;
  } while (after !== undefined);
  return gone;
}

it("what is hurried is cancelled once, ahead of what is due, and the rest stays", async () => {
  const { world, worker, send, removeRecords } = await openWorld();
  // Retries that are due in an hour, and so many failures that attempts are spaced.
  await send(...Array.from({ length: 6 }, (_, index) => `gone_${index}`));
  await send(...Array.from({ length: 24 }, (_, index) => `ord_${index}`));
  await world.clock.advance(2_000);
  await send(...Array.from({ length: 30 }, (_, index) => `late_${index}`), "gone_6");
  removeRecords();
  const { length: before } = world.transport.sent;
  const gone = await listGone(world);
  expect(gone.map(({ dueAt }) => dueAt === undefined).filter(Boolean).length).toBeGreaterThan(0);
  expect(gone).toHaveLength(7);
  for (let second = 0; second < 40 && (await listGone(world)).length > 0; second++) {
    for (const each of await listGone(world)) await worker.hurry(each.address, [each]);
    await world.clock.advance(1_000);
  }
  expect(await listGone(world)).toEqual([]);
  for (const { id } of gone) {
    expect(await world.delivery(id)).toMatchObject({ status: "cancelled", cancel_reason: "record_deleted" });
    expect(await world.logged(id)).toEqual([["cancelled", "event"]]);
  }
  // The others wait as before.
  expect(world.transport.sent.length - before).toBeLessThan(10);
  const { waiting } = await listWaiting(world.store, accountId, { limit: 100 });
  expect(waiting.length).toBeGreaterThan(15);
  expect(world.errors).toEqual([]);
  await worker.close();
});

it("what has ended meanwhile, or is in flight, is left alone", async () => {
  const { world, worker, send, removeRecords } = await openWorld();
  const { promise, resolve } = Promise.withResolvers<void>();
  world.transport.answerWith(async () => {
    await promise;
    return answered(200);
  });
  await send("gone_1");
  removeRecords();
  const [inFlight] = await listGone(world);
  if (inFlight === undefined) throw new Error("nothing waits");
  await worker.hurry(inFlight.address, [inFlight]);
  resolve();
  await world.clock.advance(1_000);
  await worker.hurry(inFlight.address, [inFlight]);
  await world.clock.advance(1_000);
  expect(await world.delivery(inFlight.id)).toMatchObject({ status: "delivered" });
  expect(await world.logged(inFlight.id)).toEqual([["delivered", "event"]]);
  expect(world.errors).toEqual([]);
  await worker.close();
});

it("in an ordered webhook it waits for no retry of another delivery", async () => {
  const { world, worker, send, removeRecords } = await openWorld({ ordered: true });
  await send("ord_1", "gone_1", "ord_2");
  removeRecords();
  await hurryAll(world, worker);
  expect(await listGone(world)).toEqual([]);
  const { waiting } = await listWaiting(world.store, accountId, { limit: 10 });
  expect(waiting.map(({ delivery }) => delivery.record_id)).toEqual(["ord_2"]);
  expect(world.transport.sent).toHaveLength(1);
  await worker.close();
});

it("in an ordered webhook, the next one does not wait for the retry that was cancelled", async () => {
  const { world, worker, send, removeRecords } = await openWorld({ ordered: true });
  await send("gone_1", "ord_1");
  removeRecords();
  await hurryAll(world, worker);
  expect(await listGone(world)).toEqual([]);
  await world.clock.advance(10_000);
  expect(world.transport.sent).toHaveLength(2);
  await worker.close();
});

/** As an erasure does it. */
async function hurryAll(world: World, worker: ReturnType<World["worker"]>): Promise<void> {
  for (let second = 0; second < 10; second++) {
    for (const each of await listGone(world)) await worker.hurry(each.address, [each]);
    await world.clock.advance(1_000);
  }
}
