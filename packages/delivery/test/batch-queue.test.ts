import { expect, it } from "vitest";
import { quickAnswerMs } from "../src/scheduler/lanes/earned-room.ts";
import { createBatchQueue } from "../src/scheduler/recording/batch-queue.ts";
import type { BatchQueue } from "../src/scheduler/recording/batch-queue.ts";
import { createRecordingMoments } from "../src/scheduler/recording/recording-moments.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import type { FakeClock } from "./support/fake-clock.ts";
import { createFinishedTurns } from "./support/finished-turns.ts";

/** A queue whose last batch has just been taken. */
function openQueue({ retryDelaysSeconds = [15] } = {}) {
  const clock = createFakeClock();
  const queue = createBatchQueue(createRecordingMoments({ clock, retryDelaysSeconds }));
  queue.take();
  return { queue, clock, turns: createFinishedTurns({ now: clock.now }) };
}

/** How many milliseconds from now the next batch is due, or undefined where it is due after more than 100. */
async function dueIn({ queue, clock }: { queue: BatchQueue; clock: FakeClock }): Promise<number | undefined> {
  let isDue = false;
  void queue.untilDue().then(() => (isDue = true));
  for (let ms = 0; ms <= 100; ms++) {
    await clock.advance(ms === 0 ? 0 : 1);
    if (isDue) return ms;
  }
  return undefined;
}

it("what was accepted, cancelled or met 410 is due at once; what is only tried again, was slow, or came between failures has time", async () => {
  const { turns } = openQueue();
  const due = (finished: ReturnType<typeof turns.accepted>) => {
    const { queue, clock } = openQueue();
    queue.add(finished);
    return dueIn({ queue, clock });
  };
  expect(await due(turns.accepted({ duration_ms: quickAnswerMs }))).toBe(0);
  expect(await due(turns.cancelled())).toBe(0);
  expect(await due(turns.gone())).toBe(0);
  expect(await due(turns.failed())).toBe(25);
  expect(await due(turns.failed({ status: null, error: "timeout" }))).toBe(25);
  expect(await due(turns.accepted({ duration_ms: quickAnswerMs + 1 }))).toBe(25);
  expect(await due(turns.accepted({ standing: "slow" }))).toBe(0);
  expect(await due(turns.accepted({ standing: "failing" }))).toBe(25);
  expect(await due(turns.accepted({ standing: "recovering" }))).toBe(25);
  expect(await due(turns.cancelled({ standing: "failing" }))).toBe(0);
  expect(await due(turns.gone({ standing: "failing" }))).toBe(0);
});

it("what has time is due with whatever is taken at once in another partition", async () => {
  const clock = createFakeClock();
  const moments = createRecordingMoments({ clock, retryDelaysSeconds: [15] });
  const turns = createFinishedTurns({ now: clock.now });
  const [slow, busy] = [createBatchQueue(moments), createBatchQueue(moments)];
  busy.take();
  slow.add(turns.failed());
  let isDue = false;
  void slow.untilDue().then(() => (isDue = true));
  await clock.advance(10);
  expect(isDue).toBe(false);
  busy.add(turns.accepted());
  busy.take();
  await clock.advance(0);
  expect(isDue).toBe(true);
});

it("after a quiet time nothing waits, whatever it is", async () => {
  const { queue, clock, turns } = openQueue();
  await clock.advance(25);
  queue.add(turns.failed());
  expect(await dueIn({ queue, clock })).toBe(0);
});

it("what has time does not take a larger part of the delay before its next try", async () => {
  const { queue, clock, turns } = openQueue({ retryDelaysSeconds: [0.1, 15] });
  queue.add(turns.failed());
  expect(await dueIn({ queue, clock })).toBe(10);
});

it("whoever waits for a batch goes on with an answer that has no time, with a full batch, or when told to", async () => {
  const ends: readonly ((world: ReturnType<typeof openQueue>) => void)[] = [
    ({ queue, turns }) => queue.add(turns.accepted()),
    ({ queue, turns }) => {
      while (queue.size() < 256) queue.add(turns.failed());
    },
    ({ queue }) => queue.hurry(),
  ];
  for (const end of ends) {
    const world = openQueue();
    world.queue.add(world.turns.failed());
    let isDue = false;
    void world.queue.untilDue().then(() => (isDue = true));
    await world.clock.advance(10);
    expect(isDue).toBe(false);
    end(world);
    await world.clock.advance(0);
    expect(isDue).toBe(true);
    expect(world.clock.timers).toBe(0);
  }
});

it("a batch is 256 turns at most, in their order; the rest waits only where nothing of it has no time", async () => {
  const { queue, clock, turns } = openQueue();
  const all = Array.from({ length: 256 }, () => turns.accepted());
  const [failed, accepted] = [turns.failed(), turns.accepted()];
  for (const finished of [...all, failed]) queue.add(finished);
  expect(queue.take()).toEqual(all);
  expect(queue.size()).toBe(1);
  expect(await dueIn({ queue, clock })).toBe(25);

  queue.take();
  for (const finished of [...all, failed, accepted]) queue.add(finished);
  expect(queue.take()).toEqual(all);
  expect(await dueIn({ queue, clock })).toBe(0);
  expect(queue.take()).toEqual([failed, accepted]);
  expect(queue.size()).toBe(0);
});
