import { partitions } from "@hookwright/storage";
import type { KeyPart } from "@hookwright/storage";
import { expect, it } from "vitest";
import { keys } from "../src/rows/keys.ts";
import type { Scheduler } from "../src/scheduler/scheduler.ts";
import type { Clock } from "../src/time/clock.ts";
import { rest, until } from "./support/fake-clock.ts";
import { accepted, hanging } from "./support/fake-transport.ts";
import { accountId, createWorld, partition } from "./support/fake-world.ts";
import type { World } from "./support/fake-world.ts";
import { toFaultyStore } from "./support/faulty-store.ts";

/** Another worker has the partition. */
async function holdLease(
  { store, clock }: Pick<World, "store" | "clock">,
  { forMs, of = partition }: { readonly forMs: number; readonly of?: string },
): Promise<void> {
  const holder = { id: "another", host: "there", process: 7 };
  await store.commit(of, {
    mutations: [
      { type: "set", key: keys.lease(of), value: JSON.stringify({ token: 99, holder }) },
      { type: "set", key: keys.leaseExpiry(of), value: String(clock.now() + forMs) },
    ],
  });
}

/** Closes a scheduler whose attempts never end. */
async function closeHanging({ clock }: Pick<World, "clock">, scheduler: Scheduler): Promise<void> {
  const closed = scheduler.close({ deadlineMs: 1_000 });
  await clock.advance(2_000);
  await closed;
}

async function worldWithBacklog(webhooks: number, deliveriesOfWebhook: number) {
  const world = createWorld({ wrapStore: toFaultyStore });
  const recordIds = Array.from({ length: deliveriesOfWebhook }, (_, index) => `ord_${index}`);
  for (let index = 0; index < webhooks; index++) {
    await world.addWebhook(`wh_${index}`);
    await world.publish(`wh_${index}`, ...recordIds);
  }
  return world;
}

it("the first look is made at once, later ones a few webhooks at a time", async () => {
  const world = await worldWithBacklog(100, 1);
  world.transport.answerWith(() => new Promise(() => {}));
  let seeks = 0;
  world.store.onList = (options, next) => {
    if (options.limit === 1) seeks += 1;
    return next(options);
  };
  const scheduler = world.scheduler({ pollMs: 1_000 });
  await scheduler.start();
  const ofOneLook = seeks;
  expect(ofOneLook).toBeGreaterThan(100);
  await rest(20);
  expect(world.transport.sent).toHaveLength(100);

  await world.clock.advance(999);
  expect(seeks).toBe(ofOneLook);
  const perStep: number[] = [];
  while (seeks < 2 * ofOneLook) {
    const before = seeks;
    await world.clock.advance(1);
    perStep.push(seeks - before);
  }
  expect(Math.max(...perStep)).toBeLessThanOrEqual(34);
  await closeHanging(world, scheduler);
});

it("a scheduler that closes in the middle of a look around waits for none of its rests", async () => {
  const world = await worldWithBacklog(100, 1);
  const scheduler = world.scheduler({ pollMs: 1_000 });
  world.transport.answerWith(() => ({ ...accepted(), status: 500, failure: "status" }));
  await scheduler.start();
  await world.clock.advance(1_002);
  expect(await scheduler.close()).toEqual({ unrecorded: 0, released: true });
});

it("of a backlog that is found one attempt comes first, and the more are accepted, the more go together", async () => {
  const world = await worldWithBacklog(1, 40);
  const answers = Array.from({ length: 40 }, hanging);
  world.transport.answerWith(() => answers[world.transport.sent.length - 1]?.answer ?? accepted());
  const scheduler = world.scheduler();
  await scheduler.start();
  await world.clock.advance(0);
  const together: number[] = [];
  for (let given = 0; given < 15;) {
    const { length } = world.transport.sent;
    together.push(length - given);
    for (; given < length; given++) answers[given]?.give(accepted());
    await world.clock.advance(0);
  }
  expect(together).toEqual([1, 2, 4, 8]);
  // What is published meanwhile, for another webhook, begins with eight.
  await world.addWebhook("wh_new");
  const before = world.transport.sent.length;
  const ids = Array.from({ length: 12 }, (_, index) => `ord_${index}`);
  scheduler.offer(accountId, await world.publish("wh_new", ...ids));
  await world.clock.advance(0);
  expect(world.transport.sent.length - before).toBe(8);
  for (const { give } of answers) give(accepted());
  await world.clock.advance(0);
  await scheduler.close();
});

it("what a look around finds is begun before the look is over", async () => {
  const world = await worldWithBacklog(0, 0);
  // Nobody is woken by this store.
  const scheduler = world.scheduler({ store: { ...world.store, watch: () => () => {} }, pollMs: 1_000 });
  await scheduler.start();
  for (let index = 0; index < 2_400; index++) {
    await world.addWebhook(`wh_${index}`);
    await world.publish(`wh_${index}`, "ord_1");
  }
  await world.clock.advance(1_100);
  expect(world.transport.sent.length).toBeGreaterThan(200);
  expect(world.transport.sent.length).toBeLessThan(1_600);
  await world.clock.advance(9_500);
  expect(world.transport.sent).toHaveLength(2_400);
  await scheduler.close();
});

it("partitions are looked at sixteen at a time, and the next look waits for all of them", async () => {
  const world = await worldWithBacklog(0, 0);
  const all = Array.from({ length: 40 }, (_, index) => `p${String(index).padStart(2, "0")}`);
  const looked: KeyPart[] = [];
  let answer = (): Promise<unknown> => rest(3);
  let underWay = 0;
  let mostUnderWay = 0;
  world.store.onList = async (options, next) => {
    const [partition, queue] = options.prefix;
    if (queue !== "fresh") return next(options);
    looked.push(partition);
    mostUnderWay = Math.max(mostUnderWay, ++underWay);
    await answer().finally(() => (underWay -= 1));
    return next(options);
  };
  const faults: unknown[] = [];
  const onFault = (fault: unknown): void => void faults.push(fault);
  const scheduler = world.scheduler({ partitions: all, pollMs: 1_000, onFault });
  await scheduler.start();
  expect(looked.toSorted()).toEqual(all);
  expect(mostUnderWay).toBe(16);

  // One of sixteen fails at once, and is looked into again with the next look. The others answer late.
  let answerLate = (): void => {};
  const late = new Promise<void>((resolve) => (answerLate = resolve));
  looked.length = 0;
  answer = () => (looked.length === 3 ? Promise.reject(new Error("the store is away")) : late);
  await world.clock.advance(3_000);
  expect(looked).toHaveLength(17);
  expect(new Set(looked).size).toBe(16);
  expect(faults).toEqual([]);
  answer = () => rest(3);
  answerLate();
  for (let ms = 0; ms < 50; ms++) await world.clock.advance(1);
  expect(faults).toEqual([new Error("the store is away")]);
  expect(looked).toHaveLength(41);
  // The look that was held up is followed by the next soon.
  for (let ms = 0; ms < 150; ms++) await world.clock.advance(1);
  expect(looked).toHaveLength(81);

  // All of sixteen fail: no others are asked for.
  looked.length = 0;
  answer = () => Promise.reject(new Error("the store is away"));
  await world.clock.advance(1_000);
  expect(looked).toHaveLength(16);
  expect(faults).toHaveLength(2);
  await scheduler.close();
});

it("one partition whose rows cannot be read keeps no other from being looked at", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const [{ id } = { id: "" }] = await world.publish("wh_1", "ord_1");
  // Of an event that only a later version knows, which has been here.
  const key = ["p00", "fresh", "acc_of_later", "event.of_a_later_version", "wh_2", "dlv_2"] as const;
  await world.store.commit("p00", { mutations: [{ type: "set", key, value: "" }] });
  const scheduler = world.scheduler({ partitions });
  await scheduler.start();
  await world.clock.advance(60_000);
  expect(await world.delivery(id)).toMatchObject({ status: "delivered" });
  expect(world.faults.length).toBeGreaterThan(0);
  await scheduler.close();
});

/** With so many webhooks that hang; and when looks for what is fresh begin, in milliseconds. */
async function worldThatIsLookedAt(webhooks: number) {
  const world = await worldWithBacklog(webhooks, 1);
  world.transport.answerWith(() => new Promise(() => {}));
  const begunAt: number[] = [];
  const begun = world.clock.now();
  world.store.onList = (options, next) => {
    if (options.limit === 1 && options.after === undefined && options.prefix[1] === "fresh")
      begunAt.push(world.clock.now() - begun);
    return next(options);
  };
  // Nobody is woken by this store.
  const store = { ...world.store, watch: () => () => {} };
  return { world, scheduler: world.scheduler({ store, pollMs: 2_000 }), begunAt };
}

it("looks begin once in their time, however long each is spread", async () => {
  const { world, scheduler, begunAt } = await worldThatIsLookedAt(200);
  await scheduler.start();
  await world.clock.advance(8_000);
  expect(begunAt).toEqual([0, 2_000, 4_000, 6_000, 8_000]);
  await closeHanging(world, scheduler);
});

it("where there is much to look at, ten seconds lie between two looks", async () => {
  const { world, scheduler, begunAt } = await worldThatIsLookedAt(300);
  await scheduler.start();
  await world.clock.advance(30_000);
  expect(begunAt).toEqual([0, 2_000, 14_000, 26_000]);
  await closeHanging(world, scheduler);
});

it("a look at much that the storage broke off is no reason to rest", async () => {
  const world = await worldWithBacklog(300, 1);
  world.transport.answerWith(() => new Promise(() => {}));
  // Sixteen are looked at together: those that are away come behind the one with much.
  const others = partitions.filter((name) => name !== partition).slice(0, 31);
  const away = new Set(others.slice(-16));
  let isAway = false;
  let looks = 0;
  world.store.onList = (options, next) => {
    const [of, queue] = options.prefix;
    if (of === partition && queue === "fresh" && options.after === undefined) looks += 1;
    return isAway && queue === "fresh" && away.has(of)
      ? Promise.reject(new Error("this part of the storage is away"))
      : next(options);
  };
  const scheduler = world.scheduler({ partitions: [partition, ...others], pollMs: 2_000 });
  await scheduler.start();
  looks = 0;
  isAway = true;
  await world.clock.advance(3_000);
  expect(looks).toBe(1);
  await world.clock.advance(2_000);
  expect(looks).toBe(2);
  await closeHanging(world, scheduler);
});

it("what may have been written without a word is looked for at once, also while it rests from much", async () => {
  const { world, scheduler } = await worldThatIsLookedAt(300);
  await scheduler.start();
  await world.clock.advance(4_000);
  const { length } = world.transport.sent;
  // The storage has not answered, so nobody offers it; and nobody was to be woken.
  await world.addWebhook("wh_new");
  await world.publish("wh_new", "ord_1");
  scheduler.doubt(accountId);
  await world.clock.advance(2_100);
  await rest(100);
  expect(world.transport.sent.length).toBe(length + 1);
  await closeHanging(world, scheduler);
});

it("what is won while it rests from much is looked at at once", async () => {
  const world = await worldWithBacklog(300, 1);
  world.transport.answerWith(() => new Promise(() => {}));
  const other = "p63";
  await holdLease(world, { of: other, forMs: 15_000 });
  let lookedAt: number | undefined;
  world.store.onList = (options, next) => {
    if (options.limit === 1 && options.prefix[0] === other) lookedAt ??= world.clock.now();
    return next(options);
  };
  const begun = world.clock.now();
  const scheduler = world.scheduler({ partitions: [partition, other], pollMs: 1_000 });
  await scheduler.start();
  await world.clock.advance(29_000);
  expect(scheduler.heldPartitions()).toContain(other);
  expect((lookedAt ?? Infinity) - begun).toBeLessThan(29_000);
  await closeHanging(world, scheduler);
});

it("what is taken over begins at once, with one attempt for each webhook, also where somebody publishes", async () => {
  const world = await worldWithBacklog(200, 20);
  world.transport.answerWith(() => new Promise(() => {}));
  await holdLease(world, { forMs: 20_000 });
  const scheduler = world.scheduler({ pollMs: 1_000 });
  await scheduler.start();
  let wonAt: number | undefined;
  for (let ms = 0; ms < 30_000 && wonAt === undefined; ms += 10) {
    await world.clock.advance(10);
    if (scheduler.heldPartitions().length > 0) wonAt = world.clock.now();
  }
  // No time passes.
  await rest(100);
  expect(world.transport.sent).toHaveLength(200);
  // Another process publishes, and says so.
  await world.publish("wh_7", "ord_new");
  await rest(100);
  expect(world.transport.sent).toHaveLength(200);
  await world.clock.advance(2_000);
  expect(world.transport.sent).toHaveLength(200);
  await closeHanging(world, scheduler);
});

it("what another worker leaves is taken in its time, however long there is to look around", async () => {
  const free = "p63";
  const wonAfter = async (webhooks: number): Promise<number> => {
    const world = await worldWithBacklog(webhooks, 1);
    world.transport.answerWith(() => new Promise(() => {}));
    await holdLease(world, { of: free, forMs: 20_000 });
    const begun = world.clock.now();
    const scheduler = world.scheduler({ partitions: [partition, free], pollMs: 1_000 });
    await scheduler.start();
    while (!scheduler.heldPartitions().includes(free) && world.clock.now() < begun + 60_000)
      await world.clock.advance(100);
    const after = world.clock.now() - begun;
    await closeHanging(world, scheduler);
    return after;
  };
  // Passing through so many takes twelve seconds.
  expect(await wonAfter(6_000)).toBe(await wonAfter(0));
});

it("who is woken for a webhook later gives it its eight", async () => {
  const world = await worldWithBacklog(0, 0);
  world.transport.answerWith(() => new Promise(() => {}));
  const scheduler = world.scheduler();
  await scheduler.start();
  await world.addWebhook("wh_1");
  await world.publish("wh_1", ...Array.from({ length: 12 }, (_, index) => `ord_${index}`));
  await world.clock.advance(5);
  expect(world.transport.sent).toHaveLength(8);
  await closeHanging(world, scheduler);
});

it("backlogs whose endpoints accept again are not held to the pace of those that fail", async () => {
  const [webhooks, deliveriesOfWebhook] = [200, 5];
  const world = await worldWithBacklog(webhooks, deliveriesOfWebhook);
  const scheduler = world.scheduler();
  await scheduler.start();
  // No time passes.
  const allSent = () => world.transport.sent.length === webhooks * deliveriesOfWebhook;
  await expect(until(allSent, 2_000)).resolves.toBeUndefined();
  await scheduler.close();
});

/** A webhook with one delivery that failed and is tried again in an hour, in a store that wakes nobody. */
async function worldWithRetry(clockOf: (clock: World["clock"]) => Clock = (clock) => clock) {
  const world = await worldWithBacklog(1, 1);
  world.transport.answerWith(() => ({ ...accepted(), status: 500, failure: "status" }));
  const scheduler = world.scheduler({
    store: { ...world.store, watch: () => () => {} },
    clock: clockOf(world.clock),
    pollMs: 1_000,
    retryDelaysSeconds: [3_600],
  });
  await scheduler.start();
  await world.clock.advance(500);
  const [retry] = await world.queued();
  expect(retry?.key[1]).toBe("retry");
  return { world, scheduler, deliveryId: String(retry?.key.at(-1)) };
}

it("retries are looked for at first, and then every thirty-two seconds: whoever works for them knows when they are due", async () => {
  const world = await worldWithBacklog(1, 1);
  world.transport.answerWith(() => new Promise(() => {}));
  const looked = { fresh: 0, retry: 0 };
  world.store.onList = (options, next) => {
    const [, queue] = options.prefix;
    if (options.after === undefined && (queue === "fresh" || queue === "retry")) looked[queue] += 1;
    return next(options);
  };
  const scheduler = world.scheduler({ pollMs: 1_000 });
  await scheduler.start();
  expect(looked.retry).toBeGreaterThan(0);
  await world.clock.advance(500);
  looked.fresh = looked.retry = 0;
  await world.clock.advance(64_000);
  expect(looked).toEqual({ fresh: 64, retry: 2 });
  await closeHanging(world, scheduler);
});

it("what waits for a webhook that another process removed without a word is cancelled all the same", async () => {
  const { world, scheduler, deliveryId } = await worldWithRetry();
  await world.removeWebhook("wh_0");
  await world.clock.advance(33_000);
  expect(await world.delivery(deliveryId)).toMatchObject({ status: "cancelled" });
  await scheduler.close();
});

it("where a wake-up could not be followed, what it told of is found by the next look", async () => {
  const world = await worldWithBacklog(1, 1);
  world.transport.answerWith(() => ({ ...accepted(), status: 500, failure: "status" }));
  const scheduler = world.scheduler({ pollMs: 1_000, retryDelaysSeconds: [3_600] });
  await scheduler.start();
  await world.clock.advance(500);
  let faults = 1;
  world.store.onList = (options, next) =>
    options.prefix[1] === "retry" && faults-- > 0 ? Promise.reject(new Error("a fault")) : next(options);
  await world.removeWebhook("wh_0");
  await world.clock.advance(10);
  expect(await world.queued()).toHaveLength(1);
  await world.clock.advance(1_000);
  expect(await world.queued()).toEqual([]);
  await scheduler.close();
});

it("a retry is tried where a clock of the host's own is set forward beyond its time, and no timer with it", async () => {
  let ahead = 0;
  const { world, scheduler, deliveryId } = await worldWithRetry((clock) => ({
    now: () => clock.now() + ahead,
    schedule: clock.schedule,
  }));
  world.transport.answerWith(accepted);
  // Less than a lease lasts at a time: more is a process that was stopped.
  const { next_attempt_at: dueAt } = await world.delivery(deliveryId);
  for (; world.clock.now() + ahead < Number(dueAt); ahead += 10_000) await world.clock.advance(2_000);
  expect(await world.delivery(deliveryId)).toMatchObject({ status: "pending" });
  // The next look.
  await world.clock.advance(1_100);
  expect(await world.delivery(deliveryId)).toMatchObject({ status: "delivered" });
  await scheduler.close();
});

it("the next look comes in its time where a clock of the host's own is set back within one", async () => {
  const world = await worldWithBacklog(1, 1);
  world.transport.answerWith(() => new Promise(() => {}));
  let behind = 0;
  let looks = 0;
  world.store.onList = (options, next) => {
    if (options.limit === 1 && options.prefix[1] === "fresh" && options.after === undefined) {
      looks += 1;
      behind = 3_600_000;
    }
    return next(options);
  };
  const clock: Clock = { now: () => world.clock.now() - behind, schedule: world.clock.schedule };
  const scheduler = world.scheduler({ clock, pollMs: 1_000 });
  await scheduler.start();
  expect(looks).toBe(1);
  await world.clock.advance(1_100);
  expect(looks).toBe(2);
  await closeHanging(world, scheduler);
});
