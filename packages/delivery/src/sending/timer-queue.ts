import type { Clock } from "../clock.ts";

/** One timer for the due times of many items. */
export interface TimerQueue<Item> {
  /** The item is due at this time. An earlier time that was set before stays. */
  wakeAt(item: Item, at: number): void;
  stop(): void;
}

export interface TimerQueueOptions<Item> {
  readonly clock: Clock;
  readonly onDue: (items: readonly Item[]) => void;
}

interface Entry<Item> {
  readonly item: Item;
  readonly at: number;
}

/** Due times closer together than this are handled together. */
const resolutionMs = 25;
/** A heap of this size is not worth cleaning up. */
const minimumHeap = 1_024;

/** A binary heap by due time, so that a hundred thousand items cost nothing while they wait. */
export function createTimerQueue<Item>({ clock, onDue }: TimerQueueOptions<Item>): TimerQueue<Item> {
  let heap: Entry<Item>[] = [];
  /** The earliest due time of each item. Later entries of it in the heap are obsolete. */
  const dueAt = new Map<Item, number>();
  let timerAt = Number.POSITIVE_INFINITY;
  let lastTimerAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;
  let cancelTimer = (): void => {};

  const timeOf = (index: number): number => heap[index]?.at ?? Number.POSITIVE_INFINITY;

  function swap(one: number, other: number): void {
    const [first, second] = [heap[one], heap[other]];
    if (first === undefined || second === undefined) return;
    heap[one] = second;
    heap[other] = first;
  }

  function push(entry: Entry<Item>): void {
    let index = heap.push(entry) - 1;
    for (let parent = (index - 1) >> 1; index > 0 && entry.at < timeOf(parent); parent = (index - 1) >> 1) {
      swap(index, parent);
      index = parent;
    }
  }

  function pop(): Entry<Item> | undefined {
    swap(0, heap.length - 1);
    const entry = heap.pop();
    for (let index = 0; ;) {
      const left = 2 * index + 1;
      const smallest = timeOf(left) <= timeOf(left + 1) ? left : left + 1;
      if (timeOf(index) <= timeOf(smallest)) return entry;
      swap(index, smallest);
      index = smallest;
    }
  }

  function arm(): void {
    const at = timeOf(0);
    if (isStopped || at >= timerAt) return;
    timerAt = at;
    cancelTimer();
    const now = clock.now();
    cancelTimer = clock.schedule(onTimer, Math.max(at, lastTimerAt + resolutionMs, now) - now);
  }

  function onTimer(): void {
    const now = clock.now();
    lastTimerAt = now;
    timerAt = Number.POSITIVE_INFINITY;
    const due: Item[] = [];
    while (timeOf(0) <= now) {
      const entry = pop();
      if (entry === undefined || dueAt.get(entry.item) !== entry.at) continue;
      dueAt.delete(entry.item);
      due.push(entry.item);
    }
    onDue(due);
    arm();
  }

  return {
    wakeAt(item, at) {
      if ((dueAt.get(item) ?? Number.POSITIVE_INFINITY) <= at) return;
      dueAt.set(item, at);
      if (heap.length < 2 * dueAt.size + minimumHeap) push({ item, at });
      // Most entries are obsolete. A sorted array is a heap, too.
      else
        heap = Array.from(dueAt, ([each, time]) => ({ item: each, at: time })).sort(
          (one, other) => one.at - other.at,
        );
      arm();
    },
    stop() {
      isStopped = true;
      cancelTimer();
    },
  };
}
