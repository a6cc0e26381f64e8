import { expect, it } from "vitest";
import { createDelivery, toQueueMutations } from "../../src/enqueue.ts";
import { toLedgerMutations, toMissedEntry } from "../../src/ledger/count.ts";
import { moveEvents } from "../../src/ledger/move-events.ts";
import { sumPoints } from "../../src/ledger/counts.ts";
import { readLedger } from "../../src/ledger/read-ledger.ts";
import type { DeliveryRow } from "../../src/storage/delivery-row.ts";
import { keys } from "../../src/storage/keys.ts";
import { answered } from "../support/fake-transport.ts";
import { accountId, createWorld, event, partition } from "../support/fake-world.ts";
import type { World } from "../support/fake-world.ts";
import { toFaultyStore } from "../support/faulty-store.ts";

const minuteMs = 60_000;

/** A world with one webhook, and a worker whose deliveries have `attempts` attempts. */
async function openWorld(attempts = 1) {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const worker = world.worker({ retryDelaysSeconds: Array.from({ length: attempts - 1 }, () => 60) });
  await worker.start();
  let resends = 0;
  async function send(changes: Pick<DeliveryRow, "kind"> & { from?: DeliveryRow; missedAt?: number }) {
    resends += 1;
    const delivery = createDelivery({
      id: `dlv_9${String(resends).padStart(7, "0")}`,
      webhook: { id: "wh_1", event, target_url: "https://wh_1.example.com/" },
      event,
      recordId: "ord_1",
      recordArrival: 1,
      projectId: "site_1",
      kind: changes.kind,
      now: world.clock.now(),
      resentFrom: changes.from,
      missedAt: changes.missedAt,
    });
    await world.store.commit(partition, { mutations: toQueueMutations(accountId, delivery) });
    worker.offer(accountId, [delivery]);
    await world.clock.advance(0);
    return world.delivery(delivery.id);
  }
  return {
    world,
    worker,
    answer: (status: number) => world.transport.answerWith(() => answered(status)),
    async publish() {
      const [delivery] = await world.publish("wh_1", "ord_1");
      if (delivery === undefined) throw new Error("nothing was published");
      worker.offer(accountId, [delivery]);
      await world.clock.advance(0);
      return world.delivery(delivery.id);
    },
    resend: (from: DeliveryRow) => send({ kind: "resend", from }),
    recoverMissed: (missedAt: number) => send({ kind: "event", missedAt }),
    /** How many minutes ago what was published, and the total. */
    read: () => read(world),
    [Symbol.asyncDispose]: async () => void (await worker.close()),
  };
}

async function read({ store, clock }: World) {
  const now = clock.now();
  const query = { accountId, since: now - 59 * minuteMs, until: now + 1, stepSeconds: 60, now };
  const { all } = await readLedger(store, query);
  const { due, delivered, pending, failed, cancelled, notSent, attempts } = sumPoints(all);
  const ago = all.flatMap(({ counts }, index) => (counts.due === 0 ? [] : [59 - index]));
  return { ago, due, delivered, pending, failed, cancelled, notSent, attempts };
}

const one = { due: 1, delivered: 0, pending: 0, failed: 0, cancelled: 0, notSent: 0, attempts: 1 };

async function markOf({ store }: World, id: string) {
  const entries = await store.list({ prefix: keys.logs(accountId), limit: 100 });
  return entries.find(({ key }) => key.at(-1) === id)?.value;
}

it("the first resend that is accepted moves the event to delivered, at the time of its publication", async () => {
  await using opened = await openWorld();
  const { world, answer, resend } = opened;
  answer(500);
  const first = await opened.publish();
  await world.clock.advance(2 * minuteMs);
  const second = await resend(first);
  expect(await opened.read()).toEqual({ ago: [2], ...one, failed: 1 });
  answer(200);
  const third = await resend(second);
  expect(third).toMatchObject({ resent_from: second.id, root: first.id, status: "delivered" });
  expect(await opened.read()).toEqual({ ago: [2], ...one, delivered: 1 });
  expect(await world.delivery(first.id)).toMatchObject({ status: "failed", accepted_later: true });
  expect(await markOf(world, first.id)).toBe("d");
  await resend(first);
  await resend(third);
  expect(await opened.read()).toEqual({ ago: [2], ...one, delivered: 1 });
});

it.each([
  { name: "fails", status: 500, attempts: 2 },
  { name: "is accepted", status: 200, attempts: 2 },
])("a resend that is accepted before its event $name delivers the event", async ({ status, attempts }) => {
  await using opened = await openWorld(attempts);
  const { world, answer } = opened;
  answer(500);
  const first = await opened.publish();
  answer(200);
  await opened.resend(first);
  expect(await opened.read()).toEqual({ ago: [0], ...one, pending: 1 });
  answer(status);
  await world.clock.advance(2 * minuteMs);
  expect(await opened.read()).toEqual({ ago: [2], ...one, delivered: 1, attempts: 2 });
  const { accepted_later } = await world.delivery(first.id);
  expect(accepted_later).toBe(status === 200 ? undefined : true);
});

it("a recovery of a missed event moves it from not sent to delivered once, also with resends", async () => {
  await using opened = await openWorld();
  const { world, answer } = opened;
  const missedAt = world.clock.now();
  const entry = toMissedEntry({ accountId, webhookId: "wh_1", projectId: "site_1", event, at: missedAt });
  await world.store.commit(partition, { mutations: toLedgerMutations([entry]) });
  await world.clock.advance(3 * minuteMs);
  answer(500);
  const first = await opened.recoverMissed(missedAt);
  expect(await opened.read()).toEqual({ ago: [3], ...one, notSent: 1, attempts: 0 });
  expect(await markOf(world, first.id)).toBe("m");
  answer(200);
  await opened.resend(first);
  await opened.resend(first);
  expect(await opened.read()).toEqual({ ago: [3], ...one, delivered: 1, attempts: 0 });
  expect(await markOf(world, first.id)).toBe("md");
});

it("resends of one commit move their event once, also if it ends in the same commit", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  world.transport.answerWith(({ headers }) =>
    answered(headers["x-service-delivery"]?.startsWith("dlv_9") === true ? 200 : 500),
  );
  const [first] = await world.publish("wh_1", "ord_1");
  if (first === undefined) throw new Error("nothing was published");
  const mutations = ["dlv_90000001", "dlv_90000002"].flatMap((id) => {
    const webhook = { id: "wh_1", event, target_url: "https://wh_1.example.com/" };
    const fields = {
      event,
      recordId: "ord_1",
      recordArrival: 1,
      projectId: "site_1",
      now: world.clock.now(),
    };
    const resent = createDelivery({ id, webhook, ...fields, kind: "resend", resentFrom: first });
    return toQueueMutations(accountId, resent);
  });
  await world.store.commit(partition, { mutations });
  await using worker = world.worker({ retryDelaysSeconds: [] });
  await worker.start();
  await world.clock.advance(1_000);
  expect(await world.queued()).toEqual([]);
  expect(await read(world)).toEqual({ ago: [0], ...one, delivered: 1 });
});

it.each(["{", "[]", '{"v":2}', "null"])(
  "a first delivery whose row is %s is reported, and blocks no resend",
  async (text) => {
    await using opened = await openWorld();
    const { world, answer } = opened;
    answer(500);
    const first = await opened.publish();
    const key = keys.delivery(accountId, first.id);
    await world.store.commit(partition, { mutations: [{ type: "set", key, value: text }] });
    answer(200);
    expect(await opened.resend(first)).toMatchObject({ status: "delivered" });
    expect(world.errors.map(String)).toEqual([
      `Error: delivery ${first.id} cannot be read, so its event is not counted as delivered`,
    ]);
    expect(await opened.read()).toMatchObject({ failed: 1, delivered: 0 });
  },
);

it("an event that ends without success costs one more read", async () => {
  const world = createWorld({ wrapStore: toFaultyStore });
  await world.addWebhook("wh_1");
  const [delivery] = await world.publish("wh_1", "ord_1");
  if (delivery === undefined) throw new Error("nothing was published");
  const read: string[] = [];
  world.store.onGetMany = (wanted, next) => {
    read.push(...wanted.map(([, table]) => String(table)));
    return next();
  };
  const failed: DeliveryRow = { ...delivery, status: "failed" };
  await moveEvents(world.store, [{ accountId, delivery: failed }], () => {});
  expect(read).toEqual(["ledger-settled"]);
});
