import {
  addWebhook,
  createDelivery,
  endDelivery,
  readWebhookGuard,
  removeWebhooks,
  toQueueMutations,
} from "@hookwright/delivery";
import { specificationEvents } from "@hookwright/domain";
import type { ListenerResult } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { maximumChanges } from "../src/console-events/change-feed.ts";
import { createConsoleEvents } from "../src/console-events/console-events.ts";
import { maximumNew, newestCompared, pendingCompared } from "../src/console-events/read-delivery-changes.ts";
import { addResult } from "../src/rows/listener-results.ts";
import { keys } from "../src/rows/keys.ts";
import type { ListenerEvent } from "../src/rows/listener-row.ts";
import { createEventStreams } from "../src/streams/event-streams.ts";
import { createStreamAccessChecks } from "../src/streams/stream-access.ts";
import type { EventStream } from "../src/use-cases.ts";
import { callerOf } from "./support/caller-of.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { sampleAttempt } from "./support/sample-attempt.ts";

const webhook = { id: "wh_1", event: "order.created", target_url: "https://example.com/" };

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
  const events = createConsoleEvents({
    store,
    streams: createEventStreams({
      clock,
      accessChecks: createStreamAccessChecks({
        store: memory,
        authenticate: async () => callerOf("acc_1"),
        clock,
        now: clock.now,
      }),
    }),
    events: specificationEvents,
    clock,
    onError: (error) => errors.push(error),
  });
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
    open: (accountId = "acc_1") =>
      events.open({ token: "hwk_1", caller: callerOf(accountId), check: () => {} }),
    async publish(from: number, to = from, accountId = "acc_1") {
      for (let number = from; number <= to; number++)
        await memory.commit(partitionOf(accountId), {
          mutations: toQueueMutations(accountId, deliveryOf(number)),
        });
    },
    /** Ends a delivery with an accepted attempt. */
    async end(number: number, accountId = "acc_1") {
      const { mutations } = endDelivery({
        accountId,
        delivery: deliveryOf(number),
        attempt: sampleAttempt,
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
  const resets: number[] = [];
  const state = { isEnded: false };
  async function read(): Promise<void> {
    for (let chunk = await stream.next(); chunk !== undefined; chunk = await stream.next())
      for (const block of chunk.trim().split("\n\n")) {
        const [, data] = /\ndata: (.*)$/u.exec(block) ?? [];
        if (data === undefined) comments.push(block);
        else if (block.includes("event: reset\n")) resets.push(rows.length);
        else rows.push(JSON.parse(data));
      }
    state.isEnded = true;
  }
  const done = read();
  const last = (number: number) =>
    rows.findLast(({ id }) => id === `dlv_${String(number).padStart(6, "0")}`)?.status;
  return { rows, comments, resets, state, done, last };
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
  expect([last(1), last(2)]).toEqual(["delivered", "pending"]);
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
  expect(last(1)).toBe("delivered");
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

it("a burst between two reads is sent whole", async () => {
  const world = openWorld();
  const { rows, resets } = follow(await world.open());
  await world.publish(1, 9 * newestCompared);
  await world.clock.advance(2_000);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(9 * newestCompared);
  expect(resets).toEqual([]);
});

it("after a larger burst, the console is told to read its lists again", async () => {
  const world = openWorld();
  const { rows, resets } = follow(await world.open());
  await world.publish(1, 2 * maximumNew);
  await world.clock.advance(2_000);
  expect(rows.length).toBeLessThan(2 * maximumNew);
  expect(resets).toEqual([rows.length]);
});

it("deliveries that were there before are not sent, also if a burst is compared with them", async () => {
  const world = openWorld();
  await world.publish(1, 400);
  for (let number = 1; number <= 400; number++) await world.end(number);
  const { rows } = follow(await world.open());
  await world.publish(401, 440);
  await world.clock.advance(2_000);
  await world.publish(441);
  await world.clock.advance(2_000);
  expect(rows.map(({ id }) => id).toSorted()[0]).toBe("dlv_000401");
});

it("a delivery whose id is older than those of the last burst is sent", async () => {
  const world = openWorld();
  const { last } = follow(await world.open());
  await world.publish(2, 4 * newestCompared);
  await world.clock.advance(1_000);
  await world.publish(1);
  await world.clock.advance(1_000);
  expect(last(1)).toBe("pending");
});

it("while more deliveries are pending than are followed, the console reads its lists every 10 s", async () => {
  const world = openWorld();
  await world.publish(1, pendingCompared + 50);
  const { resets } = follow(await world.open());
  await world.clock.advance(30_000);
  expect(resets).toEqual([]);
  await world.end(1);
  await world.clock.advance(30_000);
  expect(resets).toHaveLength(1);
  for (let number = 2; number <= 50; number++) {
    await world.end(number);
    await world.clock.advance(1_000);
  }
  await world.clock.advance(15_000);
  const before = resets.length;
  await world.clock.advance(120_000);
  expect(resets).toHaveLength(before);
});

it("a slow console gets the newest state of the newest rows after a reset, and its backlog is bounded", async () => {
  const world = openWorld();
  const stream = await world.open();
  await stream.next();
  for (let first = 1; first <= 1_000; first += 40) {
    await world.publish(first, first + 39);
    await world.clock.advance(1_000);
    for (let number = first; number < first + 40; number++) await world.end(number);
    await world.clock.advance(1_000);
  }
  const { rows, resets, last } = follow(stream);
  await world.clock.advance(1_000);
  expect(rows.length).toBeLessThanOrEqual(maximumChanges);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  expect(last(1_000)).toBe("delivered");
  expect(resets).toEqual([0]);
});

/** A webhook as it is stored, and how it is removed. */
async function prepareWebhook({ store, clock }: ReturnType<typeof openWorld>, id: string) {
  const guard = await readWebhookGuard(store, "acc_1");
  const row = {
    ...webhook,
    id,
    event: "order.created",
    status: "active",
    status_changed_at: 0,
    project_id: null,
    created_at: 0,
    created_by: { type: "console", key_id: null, name: null, integration: false },
  } as const;
  return {
    async add() {
      const secrets = { webhook_id: id, current: "", pending: null };
      await store.commit(partitionOf("acc_1"), addWebhook(guard, row, secrets));
    },
    async remove() {
      const removal = await removeWebhooks(store, await readWebhookGuard(store, "acc_1"), [row], {
        reason: "person",
        now: clock.now(),
      });
      await store.commit(partitionOf("acc_1"), removal);
    },
  };
}

it("a removed webhook is sent once more, as the list of removed ones has it", async () => {
  const world = openWorld();
  const { add, remove } = await prepareWebhook(world, "wh_1");
  await add();
  const { rows } = follow(await world.open());
  await world.clock.advance(1_000);
  await remove();
  await world.clock.advance(2_000);
  expect(rows).toMatchObject([
    { id: "wh_1", status: "removed", status_reason: "person", removed_at: expect.any(String) },
  ]);
});

it("a webhook that is created and removed between two reads is sent", async () => {
  const world = openWorld();
  const { rows, resets } = follow(await world.open());
  await world.clock.advance(1_000);
  for (const id of ["wh_1", "wh_2"]) {
    const { add, remove } = await prepareWebhook(world, id);
    await add();
    await remove();
  }
  await world.clock.advance(2_000);
  expect(rows).toMatchObject([
    { id: "wh_1", status: "removed" },
    { id: "wh_2", status: "removed" },
  ]);
  expect(resets).toEqual([]);
});

it("a delivery is sent again when a listener reports a result for its event", async () => {
  const world = openWorld();
  await world.publish(1, 2);
  const key = [...keys.deliveriesOfRecord("acc_1", "ord_1"), "dlv_000001"] as const;
  await world.store.commit(partitionOf("acc_1"), { mutations: [{ type: "set", key, value: "" }] });
  const { rows } = follow(await world.open());
  await world.clock.advance(1_000);
  const report = (recordId: string) => {
    const event = { id: `dlv_${recordId}`, event: "order.created", record_id: recordId } as ListenerEvent;
    const result = { listener_id: "lsn_1", delivery_id: event.id } as ListenerResult;
    return addResult(world.store, "acc_1", { event, result, now: world.clock.now() });
  };
  await report("ord_1");
  await report("ord_unknown");
  await world.clock.advance(70_000);
  expect(rows.map(({ id }) => id)).toEqual(["dlv_000001"]);
});

it("a failing storage is reported and read again, and the stream stays open", async () => {
  let fails = false;
  const world = openWorld((store) => ({
    ...store,
    list: (options) => (fails ? Promise.reject(new Error("no storage")) : store.list(options)),
  }));
  const { last, resets, state } = follow(await world.open());
  await world.publish(1);
  fails = true;
  await world.clock.advance(2_000);
  expect(world.errors.length).toBeGreaterThan(0);
  fails = false;
  await world.clock.advance(2_000);
  expect([last(1), state.isEnded]).toEqual(["pending", false]);
  expect(resets).toHaveLength(1);
  fails = true;
  await expect(world.open("acc_2")).rejects.toThrow("no storage");
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
