import { HookwrightError } from "@hookwright/domain";
import { StorageError } from "@hookwright/storage";
import { describe, expect, it } from "vitest";
import { createFakeClock, rest } from "../../delivery/test/support/fake-clock.ts";
import { createRelay } from "../src/outbox/create-relay.ts";
import { createFakeOutbox } from "./support/fake-outbox.ts";
import type { FakeOutbox } from "./support/fake-outbox.ts";

const unavailable = () => new StorageError("unavailable", "The store is down.");

interface World {
  readonly outbox: FakeOutbox;
  readonly clock: ReturnType<typeof createFakeClock>;
  readonly relay: ReturnType<typeof createRelay>;
  /** The ids of the rows that were published, in order. */
  readonly published: number[];
  readonly lines: { readonly code: string; readonly fields: object }[];
  /** Rejects publications of this record, or of all. */
  failing: Map<string, () => Error>;
  /** Publications wait until this resolves. */
  gate: Promise<void>;
}

/** A relay over a fake outbox whose rows a publication takes, as in PostgreSQL. */
function openWorld({
  isInStore = true,
  notify = true,
}: { readonly isInStore?: boolean; readonly notify?: boolean } = {}): World {
  const outbox = createFakeOutbox();
  const clock = createFakeClock();
  const world: World = {
    outbox,
    clock,
    published: [],
    lines: [],
    failing: new Map(),
    gate: Promise.resolve(),
    relay: createRelay({
      outbox,
      isInStore,
      notify,
      clock,
      log: (code, fields = {}) => world.lines.push({ code, fields }),
      onRejected: () => {},
      isKnownElsewhere: async (event) => event === "order.shipped",
      async publish(input, { takes }) {
        const { data } = input as { readonly data: { readonly id: string; readonly number: number } };
        await world.gate;
        const error = (world.failing.get(data.id) ?? world.failing.get("*"))?.();
        if (error !== undefined) throw error;
        expect(takes).toBe(isInStore ? String(data.number) : undefined);
        world.published.push(data.number);
        if (takes !== undefined) await outbox.remove([takes]);
      },
    }),
  };
  return world;
}

describe("the relay", () => {
  it("publishes what is there, and then each row as it is notified", async () => {
    const { outbox, relay, published, clock } = openWorld();
    outbox.add(2, "b");
    outbox.add(1, "a");
    relay.start();
    await rest();
    expect(published).toEqual([1, 2]);
    outbox.add(3, "c");
    await rest();
    expect(published).toEqual([1, 2, 3]);
    await relay.close();
    expect(clock.timers).toBe(0);
  });

  it("publishes rows of one record one after the other, and others meanwhile", async () => {
    const world = openWorld();
    const { outbox, relay, published } = world;
    for (let id = 1; id <= 30; id++) outbox.add(id, `record ${id % 3}`);
    relay.start();
    await rest(40);
    for (const record of [0, 1, 2])
      expect(published.filter((id) => id % 3 === record)).toEqual(
        Array.from({ length: 10 }, (_, index) => index * 3 + (record === 0 ? 3 : record)),
      );
    await relay.close();
  });

  it("reads more than one page, and rows with low ids that are committed late", async () => {
    const { outbox, relay, published } = openWorld();
    for (let id = 1_001; id <= 2_200; id++) outbox.add(id, `record ${id}`);
    relay.start();
    await rest(20);
    expect(published).toHaveLength(1_200);
    outbox.add(7, "late");
    await rest();
    expect(published.at(-1)).toBe(7);
    await relay.close();
  });

  it("polls once a second", async () => {
    const { outbox, relay, published, clock } = openWorld();
    relay.start();
    await rest();
    const { reads } = outbox;
    await clock.advance(10_000);
    expect(outbox.reads - reads).toBe(10);
    outbox.rows.push({ id: "1", event: "order.created", projectId: "site_1", data: '{"id":"a","number":1}' });
    await clock.advance(1_000);
    expect(published).toEqual([1]);
    await relay.close();
  });

  it("publishes each row within 20 ms, whatever the pause before it", async () => {
    const { outbox, relay, published, clock } = openWorld();
    relay.start();
    await rest();
    for (let id = 1; id <= 150; id++) {
      await clock.advance(id);
      outbox.commit(id, "a");
      await rest();
      for (let ms = 0; ms < 20 && published.at(-1) !== id; ms++) await clock.advance(1);
      expect(published.at(-1)).toBe(id);
    }
    await relay.close();
  });

  it("polls while rows come often, and a row of a long transaction waits no longer than that took", async () => {
    const { outbox, relay, published, clock } = openWorld();
    relay.start();
    await rest();
    outbox.commit(1, "a");
    await clock.advance(5);
    const before = { reads: outbox.reads, awake: outbox.awakeReads };
    for (let id = 2; id <= 20; id++) {
      outbox.commit(id, "a");
      await clock.advance(10);
    }
    expect(published).toHaveLength(20);
    // Nobody had to notify it.
    expect(outbox.awakeReads - before.awake).toBe(outbox.reads - before.reads);
    await clock.advance(100);
    // It was inserted while the relay was awake.
    outbox.rows.push({
      id: "21",
      event: "order.created",
      projectId: "site_1",
      data: '{"id":"a","number":21}',
    });
    await clock.advance(100);
    expect(published.at(-1)).toBe(21);
    await clock.advance(5_000);
    const asleep = { reads: outbox.reads, awake: outbox.awakeReads };
    await clock.advance(10_000);
    expect([outbox.reads - asleep.reads, outbox.awakeReads]).toEqual([10, asleep.awake]);
    await relay.close();
  });

  it("without notifications polls ten times a second", async () => {
    const { outbox, relay, published, clock } = openWorld({ notify: false });
    relay.start();
    await rest();
    const { reads } = outbox;
    await clock.advance(1_000);
    expect(outbox.reads - reads).toBe(10);
    outbox.add(1, "a");
    await rest();
    expect(published).toEqual([]);
    await clock.advance(100);
    expect(published).toEqual([1]);
    await relay.close();
  });

  it("retries a record with back-off: its later rows wait, and other rows go on", async () => {
    const world = openWorld();
    const { outbox, relay, published, clock } = world;
    let attempts = 0;
    world.failing.set("bad", () => {
      attempts += 1;
      return unavailable();
    });
    outbox.add(1, "bad");
    outbox.add(2, "bad");
    outbox.add(3, "good");
    relay.start();
    await rest();
    expect(published).toEqual([3]);
    for (let id = 4; id < 10; id++) {
      outbox.add(id, `other ${id}`);
      await rest();
    }
    expect(published).toEqual([3, 4, 5, 6, 7, 8, 9]);
    // A notification does not shorten the back-off.
    expect(attempts).toBe(1);
    await clock.advance(60_000);
    // 0.25 s, doubled each time, then every 5 s.
    expect(attempts).toBeGreaterThan(10);
    expect(attempts).toBeLessThan(20);
    expect(world.lines.every(({ code }) => code === "outbox_not_published")).toBe(true);
    world.failing.clear();
    await clock.advance(5_000);
    expect(published.slice(-2)).toEqual([1, 2]);
    expect(outbox.rejections).toEqual([]);
    await relay.close();
  });

  it("backs off as a whole while nothing can be published", async () => {
    const world = openWorld();
    const { outbox, relay, published, clock } = world;
    world.failing.set("*", unavailable);
    for (let id = 1; id <= 600; id++) outbox.add(id, `record ${id}`);
    relay.start();
    await rest();
    const { reads } = outbox;
    outbox.add(601, "record 601");
    await rest();
    expect(outbox.reads).toBe(reads);
    await clock.advance(60_000);
    expect(outbox.reads - reads).toBeLessThan(60);
    world.failing.clear();
    await clock.advance(10_000);
    expect(published).toHaveLength(601);
    await relay.close();
  });

  it("never overtakes a row that failed on an earlier page, even if its record is due again", async () => {
    const world = openWorld();
    const { outbox, relay, published, clock } = world;
    outbox.add(1, "bad");
    for (let id = 2; id <= 500; id++) outbox.add(id, `record ${id}`);
    outbox.add(501, "bad");
    world.failing.set("bad", () => {
      world.failing.clear();
      return unavailable();
    });
    outbox.onRead = () => clock.jump(10_000);
    relay.start();
    await rest();
    await clock.advance(1_000);
    expect(published.filter((id) => id === 1 || id === 501)).toEqual([1, 501]);
    await relay.close();
  });

  it("publishes rows behind any number of rows that fail", async () => {
    const world = openWorld();
    const { outbox, relay, published } = world;
    for (let id = 1; id <= 1_200; id++) {
      outbox.add(id, `bad ${id}`);
      world.failing.set(`bad ${id}`, unavailable);
    }
    outbox.add(1_201, "good");
    relay.start();
    await rest(20);
    expect(published).toEqual([1_201]);
    await relay.close();
  });

  it.each([
    [new HookwrightError("unknown_event", "event: no such event"), "unknown_event", "event: no such event"],
    [new StorageError("value_too_large", "It is too large."), "validation_failed", "data: It is too large."],
  ])("rejects a row for %s", async (error, code, message) => {
    const world = openWorld();
    const { outbox, relay, published } = world;
    world.failing.set("bad", () => error);
    outbox.add(1, "bad");
    outbox.add(2, "good");
    relay.start();
    await rest();
    expect(outbox.rejections).toEqual([{ id: "1", code, message }]);
    expect(published).toEqual([2]);
    expect(world.lines).toEqual([
      {
        code: "outbox_rejected",
        fields: {
          schema: "hookwright",
          outbox_id: "1",
          event: "order.created",
          reason: code,
          problem: message,
        },
      },
    ]);
    await relay.close();
  });

  it.each([
    ["an error of the server", new HookwrightError("internal_error", "busy", { status: 503 })],
    ["an unexpected error", new TypeError("x is not a function")],
  ])("never rejects a row for %s", async (_, error) => {
    const world = openWorld();
    world.failing.set("*", () => error);
    world.outbox.add(1, "a");
    world.relay.start();
    await world.clock.advance(20_000);
    expect(world.outbox.rejections).toEqual([]);
    expect(world.outbox.rows).toHaveLength(1);
    await world.relay.close();
  });

  it("tries again later if a row cannot be rejected, and publishes others", async () => {
    const world = openWorld();
    const { outbox, relay, published, clock } = world;
    world.failing.set("bad", () => new HookwrightError("unknown_event", "event: no such event"));
    outbox.failNext("reject", unavailable());
    outbox.add(1, "bad");
    outbox.add(2, "good");
    relay.start();
    await rest();
    expect([outbox.rejections, published]).toEqual([[], [2]]);
    await clock.advance(1_000);
    expect(outbox.rejections).toHaveLength(1);
    await relay.close();
  });

  it("leaves an event that only another process knows, and lets that process relay", async () => {
    const world = openWorld();
    const { outbox, relay, published, clock, lines } = world;
    const unknown = () => new HookwrightError("unknown_event", "event: is not a known event");
    world.failing.set("foreign", unknown);
    outbox.rows.push({
      id: "1",
      event: "order.shipped",
      projectId: "site_1",
      data: '{"id":"foreign","number":1}',
    });
    outbox.add(2, "b");
    relay.start();
    await rest(12);
    expect([published, outbox.rejections]).toEqual([[2], []]);
    expect(lines.map(({ code }) => code)).toEqual(["outbox_not_published"]);
    // The session is free for longer than the other processes wait.
    await clock.advance(3_000);
    const session = await outbox.openSession({ onRows: () => {}, onLost: () => {} });
    expect(session).toBeDefined();
    session?.[Symbol.dispose]();
    world.failing.clear();
    await clock.advance(2_000);
    expect(published).toEqual([2, 1]);
    await relay.close();
  });

  it("reads again if another process has taken a row", async () => {
    const world = openWorld();
    const { outbox, relay, published, clock } = world;
    world.failing.set("taken", () => {
      void outbox.remove(["1"]);
      world.failing.clear();
      return new StorageError("already_taken", "The row is gone.");
    });
    outbox.add(1, "taken");
    outbox.add(2, "taken");
    relay.start();
    await rest(12);
    expect(published).toEqual([]);
    await clock.advance(250);
    expect(published).toEqual([2]);
    expect(world.lines).toEqual([]);
    await relay.close();
  });

  it("waits while another process relays, and takes over", async () => {
    const first = openWorld();
    const second = openWorld();
    const relay = createRelay({
      outbox: first.outbox,
      isInStore: false,
      notify: true,
      clock: second.clock,
      log: () => {},
      onRejected: () => {},
      isKnownElsewhere: async () => false,
      publish: async () => void second.published.push(1),
    });
    first.relay.start();
    await rest();
    relay.start();
    await second.clock.advance(10_000);
    expect(first.outbox.sessions).toBe(1);
    await first.relay.close();
    await second.clock.advance(2_000);
    expect(first.outbox.sessions).toBe(2);
    await relay.close();
  });

  it("opens a lost session again, with back-off while that fails", async () => {
    const { outbox, relay, published, clock, lines } = openWorld();
    relay.start();
    await rest();
    for (let number = 0; number < 3; number++) outbox.failNext("openSession", unavailable());
    outbox.lose();
    await rest();
    expect(outbox.sessions).toBe(1);
    outbox.add(1, "a");
    await clock.advance(5_000);
    expect(outbox.sessions).toBe(2);
    expect(published).toEqual([1]);
    expect(lines.map(({ code }) => code)).toEqual([
      "outbox_unavailable",
      "outbox_unavailable",
      "outbox_unavailable",
    ]);
    await relay.close();
  });

  it("finishes what it has begun when it closes, and begins nothing more", async () => {
    const world = openWorld();
    const { outbox, relay, published } = world;
    let open = (): void => {};
    world.gate = new Promise((resolve) => (open = resolve));
    outbox.add(1, "a");
    outbox.add(2, "a");
    relay.start();
    await rest();
    let isClosed = false;
    const closing = relay.close().then(() => (isClosed = true));
    await rest();
    expect(isClosed).toBe(false);
    open();
    await closing;
    expect(published).toEqual([1]);
    expect(outbox.rows.map(({ id }) => id)).toEqual(["2"]);
  });

  it("beside another store deletes rows after they were published", async () => {
    const { outbox, relay, published } = openWorld({ isInStore: false });
    for (let id = 1; id <= 5; id++) outbox.add(id, "a");
    relay.start();
    await rest(12);
    expect(published).toEqual([1, 2, 3, 4, 5]);
    expect(outbox.rows).toEqual([]);
    await relay.close();
  });
});
