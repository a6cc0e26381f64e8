import { randomBytes } from "node:crypto";
import { createIdSource } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, it } from "vitest";
import { createListenerEventLog } from "../src/listeners/event-log.ts";
import { createListenerInbox } from "../src/rows/listener-inbox.ts";
import { maximumEvents } from "../src/listeners/event-log.ts";
import { createListenerStore } from "../src/listeners/listener-store.ts";
import { createListenerStreams } from "../src/listeners/listener-streams.ts";
import { keys } from "../src/rows/keys.ts";
import type { ListenerRow } from "../src/rows/listener-row.ts";
import { createServerKeys } from "../src/secrets/server-keys.ts";
import { createSigning } from "../src/secrets/signing.ts";
import { createEventStreams } from "../src/streams/event-streams.ts";
import { createStreamAccessChecks } from "../src/streams/stream-access.ts";
import type { EventStream } from "../src/use-cases.ts";
import { callerOf } from "./support/caller-of.ts";
import { createFakeClock } from "./support/fake-clock.ts";

const accountId = "acc_1";
const minuteMs = 60_000;
const access = { token: "hwk_1", caller: callerOf(accountId), check: () => {} };

/** Processes on one store. Each has its own streams. */
function openWorld(wrap: (store: Store) => Store = (store) => store) {
  const clock = createFakeClock();
  const store = wrap(memoryStore({ now: clock.now }));
  const signing = createSigning({
    serverKeys: createServerKeys({ store, secret: "a test secret of 32 characters!!" }),
  });
  const listeners = createListenerStore({
    store,
    now: clock.now,
    newId: createIdSource({ now: clock.now, randomBytes }),
    auditRetentionMs: minuteMs,
  });
  const errors: unknown[] = [];

  function openProcess(writer: string) {
    const log = createListenerEventLog({ store, now: clock.now });
    const inbox = createListenerInbox({ writer });
    const streams = createListenerStreams({
      store,
      streams: createEventStreams({
        clock,
        accessChecks: createStreamAccessChecks({
          store,
          authenticate: async () => access.caller,
          clock,
          now: clock.now,
        }),
      }),
      listeners,
      log,
      readMessages: async (_, deliveries) =>
        deliveries.map(({ event, record_id: id }) => ({ ok: true, body: JSON.stringify({ event, id }) })),
      signing,
      clock,
      now: clock.now,
      onError: (error) => errors.push(error),
    });
    return {
      streams,
      log,
      /** Publishes the events whose ids have these numbers, in one commit. */
      async publish(...numbers: readonly number[]) {
        const index = await store.get(keys.listenerIndex(accountId));
        const parts = numbers.map((number) =>
          inbox.add(accountId, index, {
            id: `dlv_${String(number).padStart(6, "0")}`,
            event: "order.created",
            record_id: `ord_${number}`,
            record_arrival: 1,
            project_id: "site_1",
            created_at: clock.now(),
          }),
        );
        const mutations = parts.flatMap((part) => part?.mutations ?? []);
        await store.commit(partitionOf(accountId), { mutations, notify: parts[0]?.notify });
      },
      open: (options: { lastEventId?: string } = {}) => streams.open("lsn_1", { ...access, ...options }),
    };
  }

  return {
    clock,
    store,
    listeners,
    errors,
    openProcess,
    async addListener(changes: Partial<ListenerRow> = {}) {
      const id = changes.id ?? "lsn_1";
      const row: ListenerRow = {
        id,
        events: null,
        project_id: null,
        secret: await signing.seal("whsec_test", id),
        key_id: "key_1",
        created_at: clock.now(),
        since: 0,
        ...changes,
      };
      await listeners.add(accountId, row, undefined);
    },
  };
}

/** Reads the streams' chunks until the stream ends. A chunk may have several events. */
function follow(stream: EventStream) {
  const numbers: number[] = [];
  const comments: string[] = [];
  const state = { isEnded: false };
  async function read(): Promise<void> {
    for (let chunk = await stream.next(); chunk !== undefined; chunk = await stream.next()) {
      for (const block of chunk.trim().split("\n\n")) {
        const [, number] = /^id: dlv_(\d+)\n/u.exec(block) ?? [];
        if (number === undefined) comments.push(block);
        else numbers.push(Number(number));
      }
    }
    state.isEnded = true;
  }
  const done = read();
  done.catch(() => {});
  return { numbers, comments, state, done };
}

describe("a stream of a listener", () => {
  it("sends a comment when it opens, and after every 15 s without an event", async () => {
    const world = openWorld();
    await world.addListener();
    const { open, publish } = world.openProcess("a");
    const { comments, numbers } = follow(await open());
    await world.clock.advance(40);
    expect(comments).toEqual([": listening"]);
    await world.clock.advance(14_000);
    await publish(1);
    await world.clock.advance(14_000);
    expect([comments, numbers]).toEqual([[": listening"], [1]]);
    await world.clock.advance(1_500);
    expect(comments).toEqual([": listening", ": keep-alive"]);
    await world.clock.advance(30_000);
    expect(comments).toHaveLength(4);
  });

  it("gets events of another process, at the next comment even if the notification is lost", async () => {
    let drops = false;
    const world = openWorld((store) => ({
      ...store,
      commit: (partition, commit) =>
        store.commit(partition, drops ? { ...commit, notify: undefined } : commit),
    }));
    await world.addListener();
    const { numbers } = follow(await world.openProcess("reader").open());
    const other = world.openProcess("writer");
    await other.publish(1);
    await world.clock.advance(40);
    expect(numbers).toEqual([1]);
    drops = true;
    await other.publish(2);
    await world.clock.advance(16_000);
    expect(numbers).toEqual([1, 2]);
  });

  it("misses no event that was committed after an event with a greater id", async () => {
    const world = openWorld();
    await world.addListener();
    const [one, two] = [world.openProcess("one"), world.openProcess("two")];
    const stream = await one.open();
    const first = follow(stream);
    await one.publish(5);
    await world.clock.advance(40);
    stream.close();
    await first.done;
    expect(first.numbers).toEqual([5]);
    // Its id was created before the other one.
    await two.publish(3);
    const { numbers } = follow(await two.open({ lastEventId: "dlv_000005" }));
    await world.clock.advance(40);
    expect(numbers).toEqual([3]);
  });

  it("has the order of every other stream of the account, whichever process serves it", async () => {
    const world = openWorld();
    await world.addListener();
    const processes = [world.openProcess("a"), world.openProcess("b"), world.openProcess("c")];
    const followed = await Promise.all(processes.map(async ({ open }) => follow(await open())));
    await Promise.all(Array.from({ length: 300 }, (_, index) => processes[index % 3]?.publish(index + 1)));
    await world.clock.advance(16_000);
    await world.clock.advance(16_000);
    expect(followed[0]?.numbers).toHaveLength(300);
    expect(followed[1]?.numbers).toEqual(followed[0]?.numbers);
    expect(followed[2]?.numbers).toEqual(followed[0]?.numbers);
  });

  it("keeps its listener, which is removed ten minutes after the stream ends", async () => {
    const world = openWorld();
    await world.addListener();
    const stream = await world.openProcess("a").open();
    const { done } = follow(stream);
    await world.clock.advance(60 * minuteMs);
    stream.close();
    await done;
    await world.clock.advance(10 * minuteMs - 1);
    expect(await world.listeners.list(access.caller)).toHaveLength(1);
    await world.clock.advance(1);
    expect(await world.listeners.list(access.caller)).toEqual([]);
    await world.clock.advance(minuteMs);
    expect(await world.store.get(keys.listenerIndex(accountId))).toBeUndefined();
    expect(world.clock.timers).toBe(0);
  });

  it("keeps at least ten minutes of its listener if its process dies", async () => {
    const world = openWorld();
    await world.addListener();
    follow(await world.openProcess("a").open());
    await world.clock.advance(59_999);
    // No timer of the process runs any more.
    world.clock.jump(10 * minuteMs - 1);
    expect(await world.listeners.list(access.caller)).toHaveLength(1);
  });

  it("rejects if the storage fails, and continues in the next stream", async () => {
    let fails = false;
    const world = openWorld((store) => ({
      ...store,
      list: (options) => (fails ? Promise.reject(new Error("no storage")) : store.list(options)),
    }));
    await world.addListener();
    const { open, publish } = world.openProcess("a");
    const { done } = follow(await open());
    await world.clock.advance(40);
    fails = true;
    await publish(1);
    await expect(done).rejects.toThrow("no storage");
    expect(world.errors).toHaveLength(1);
    fails = false;
    const { numbers } = follow(await open());
    await world.clock.advance(40);
    expect(numbers).toEqual([1]);
  });

  it("says when a slow reader missed events, and the log stays bounded", async () => {
    const world = openWorld();
    await world.addListener();
    const { open, publish, log } = world.openProcess("a");
    const stream = await open();
    expect(await stream.next()).toBe(": listening\n\n");
    for (let first = 1; first <= 3_000; first += 100) {
      await publish(...Array.from({ length: 100 }, (_, index) => first + index));
      await log.drain(accountId);
    }
    const kept = await world.store.list({ prefix: keys.listenerLog(accountId), limit: 5_000 });
    expect(kept.length).toBeLessThanOrEqual(maximumEvents + 100);
    expect(kept.length).toBeGreaterThan(maximumEvents / 2);
    const positions = [partitionOf(accountId), "listener-event"] as const;
    expect(await world.store.list({ prefix: positions, limit: 5_000 })).toHaveLength(kept.length);
    const { comments, numbers } = follow(stream);
    await world.clock.advance(1_000);
    expect(comments).toEqual([
      'event: dropped\ndata: {"message":"Some events were dropped, because they were read too late."}',
    ]);
    expect(numbers).toEqual(Array.from({ length: kept.length }, (_, index) => 3_001 - kept.length + index));
  });

  it("is not needed to keep an inbox bounded", async () => {
    const world = openWorld();
    await world.addListener();
    const { publish } = world.openProcess("a");
    for (let first = 1; first <= 5_000; first += 500)
      await publish(...Array.from({ length: 500 }, (_, index) => first + index));
    const inbox = await world.store.list({ prefix: keys.listenerInbox(accountId), limit: 5_000 });
    expect(inbox).toHaveLength(1_024);
    await world.clock.advance(11 * minuteMs);
    expect(await world.store.list({ prefix: keys.listenerInbox(accountId), limit: 10 })).toEqual([]);
  });

  it("reads nothing after the process has closed, even if it was in the middle of a read", async () => {
    let isClosed = false;
    let readsAfter = 0;
    const world = openWorld((store) => ({
      ...store,
      async list(options) {
        const entries = await store.list(options);
        await new Promise((resolve) => setImmediate(resolve));
        if (isClosed) readsAfter += 1;
        return entries;
      },
    }));
    await world.addListener();
    const { open, publish, streams } = world.openProcess("a");
    const { done } = follow(await open());
    await world.clock.advance(40);
    await publish(1);
    await streams.close();
    isClosed = true;
    await done;
    expect(readsAfter).toBe(0);
  });

  it("ends with the process, and no further one opens", async () => {
    const world = openWorld();
    await world.addListener();
    const { open, streams } = world.openProcess("a");
    const { state } = follow(await open());
    await streams.close();
    await world.clock.advance(40);
    expect(state.isEnded).toBe(true);
    await expect(open()).rejects.toMatchObject({ status: 503 });
    expect(world.clock.timers).toBe(0);
  });
});
