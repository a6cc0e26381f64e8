import {
  addWebhook,
  createDelivery,
  endDelivery,
  readWebhookGuard,
  toOutboxMutations,
} from "@hookwright/delivery";
import { partitionOf } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { maximumChanges } from "../src/console/events/change-feed.ts";
import { createConsoleEvents } from "../src/console/events/console-events.ts";
import { newestCompared } from "../src/console/events/read-changes.ts";
import type { EventStream } from "../src/use-cases.ts";
import { createFakeClock } from "./support/fake-clock.ts";

const webhook = { id: "wh_1", target_url: "https://example.com/" };

function openWorld(wrap: (store: Store) => Store = (store) => store) {
  const clock = createFakeClock();
  let reads = 0;
  const memory = memoryStore({ now: clock.now });
  const store = wrap({
    ...memory,
    list(options) {
      reads += 1;
      return memory.list(options);
    },
  });
  const errors: unknown[] = [];
  const events = createConsoleEvents({ store, clock, onError: (error) => errors.push(error) });
  const deliveryOf = (number: number) =>
    createDelivery({
      id: `dlv_${String(number).padStart(6, "0")}`,
      webhook,
      event: "order.created",
      recordId: `ord_${number}`,
      recordArrival: 1,
      projectId: "site_1",
      kind: "event",
      now: clock.now(),
    });
  return {
    clock,
    store,
    events,
    errors,
    reads: () => reads,
    open: (accountId = "acc_1", authorize = async () => {}) => events.open(accountId, { authorize }),
    async publish(from: number, to = from, accountId = "acc_1") {
      for (let number = from; number <= to; number++)
        await memory.commit(partitionOf(accountId), {
          mutations: toOutboxMutations(accountId, deliveryOf(number)),
        });
    },
    /** Ends a delivery as cancelled. */
    async end(number: number, accountId = "acc_1") {
      const { mutations } = endDelivery({
        accountId,
        delivery: deliveryOf(number),
        attempt: undefined,
        endedAt: clock.now(),
      });
      await memory.commit(partitionOf(accountId), { mutations });
    },
  };
}

/** Reads a stream until it ends. */
function follow(stream: EventStream) {
  const rows: { id: string; status: string }[] = [];
  const comments: string[] = [];
  const state = { isEnded: false };
  async function read(): Promise<void> {
    for (let chunk = await stream.next(); chunk !== undefined; chunk = await stream.next())
      for (const block of chunk.trim().split("\n\n")) {
        const [, data] = /\ndata: (.*)$/u.exec(block) ?? [];
        if (data === undefined) comments.push(block);
        else rows.push(JSON.parse(data));
      }
    state.isEnded = true;
  }
  const done = read();
  const last = (number: number) =>
    rows.findLast(({ id }) => id === `dlv_${String(number).padStart(6, "0")}`)?.status;
  return { rows, comments, state, done, last };
}

it("a console gets a comment at once and every 15 s, and only what changes after that", async () => {
  const world = openWorld();
  await world.publish(1);
  const { rows, comments, last } = follow(await world.open());
  await world.clock.advance(3_000);
  expect([rows, comments]).toEqual([[], [": connected"]]);
  await world.publish(2);
  await world.end(1);
  await world.clock.advance(1_000);
  expect(rows).toHaveLength(2);
  expect([last(1), last(2)]).toEqual(["cancelled", "pending"]);
  await world.clock.advance(15_000);
  expect(comments).toEqual([": connected", ": keep-alive"]);
});

it("the end of an older delivery is sent, although newer ones have displaced it", async () => {
  const world = openWorld();
  await world.publish(1);
  const { last } = follow(await world.open());
  await world.publish(2, 2 + newestCompared);
  await world.clock.advance(2_000);
  await world.end(1);
  await world.clock.advance(2_000);
  expect(last(1)).toBe("cancelled");
});

it("consoles of one account share the reads, and none are made without a console", async () => {
  const world = openWorld();
  await world.clock.advance(60_000);
  expect([world.reads(), world.clock.timers]).toEqual([0, 0]);
  const readsOf = async (count: number): Promise<number> => {
    const streams = await Promise.all(Array.from({ length: count }, () => world.open()));
    const followed = streams.map(follow);
    await world.clock.advance(2_000);
    const before = world.reads();
    await world.clock.advance(10_000);
    const read = world.reads() - before;
    for (const stream of streams) stream.close();
    await Promise.all(followed.map(({ done }) => done));
    await world.clock.advance(2_000);
    return read;
  };
  expect(await readsOf(20)).toBe(await readsOf(1));
  const before = world.reads();
  await world.clock.advance(60_000);
  expect([world.reads() - before, world.clock.timers]).toEqual([0, 0]);
});

it("a slow console gets the newest state of the newest rows, and its backlog is bounded", async () => {
  const world = openWorld();
  const stream = await world.open();
  await stream.next();
  for (let first = 1; first <= 1_000; first += 40) {
    await world.publish(first, first + 39);
    await world.clock.advance(1_000);
    for (let number = first; number < first + 40; number++) await world.end(number);
    await world.clock.advance(1_000);
  }
  const { rows, last } = follow(stream);
  await world.clock.advance(1_000);
  expect(rows.length).toBeLessThanOrEqual(maximumChanges);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  expect(last(1_000)).toBe("cancelled");
});

it("a removed webhook is sent once more", async () => {
  const world = openWorld();
  const guard = await readWebhookGuard(world.store, "acc_1");
  const row = {
    ...webhook,
    event: "order.created",
    status: "active",
    status_changed_at: 0,
    project_id: null,
    created_at: 0,
    created_by: { type: "console", key_id: null, name: null, integration: false },
  } as const;
  const secrets = { webhook_id: webhook.id, current: "", pending: null };
  const added = addWebhook(guard, row, secrets);
  await world.store.commit(partitionOf("acc_1"), added);
  const { rows } = follow(await world.open());
  await world.clock.advance(1_000);
  await world.store.commit(partitionOf("acc_1"), {
    mutations: added.mutations.map(({ key }) => ({ type: "delete", key })),
  });
  await world.clock.advance(2_000);
  expect(rows).toMatchObject([{ id: "wh_1", status: "removed" }]);
});

it("a failing storage is reported and read again, and the stream stays open", async () => {
  let fails = false;
  const world = openWorld((store) => ({
    ...store,
    list: (options) => (fails ? Promise.reject(new Error("no storage")) : store.list(options)),
  }));
  const { last, state } = follow(await world.open());
  await world.publish(1);
  fails = true;
  await world.clock.advance(2_000);
  expect(world.errors.length).toBeGreaterThan(0);
  fails = false;
  await world.clock.advance(2_000);
  expect([last(1), state.isEnded]).toEqual(["pending", false]);
  fails = true;
  await expect(world.open("acc_2")).rejects.toThrow("no storage");
});

it("an account has at most twenty open consoles in a process", async () => {
  const world = openWorld();
  const streams = await Promise.all(Array.from({ length: 20 }, () => world.open()));
  await expect(world.open()).rejects.toMatchObject({ code: "rate_limited" });
  await world.open("acc_2");
  streams[0]?.close();
  await world.open();
});

it("nothing is read after the process has closed", async () => {
  const world = openWorld();
  const { done } = follow(await world.open());
  await world.clock.advance(2_500);
  await world.events.close();
  await done;
  const before = world.reads();
  await world.clock.advance(60_000);
  expect([world.reads() - before, world.clock.timers]).toEqual([0, 0]);
  await expect(world.open()).rejects.toMatchObject({ status: 503 });
});
