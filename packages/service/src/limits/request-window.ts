/**
 * How many requests came when. Those of the same half second share a slot, which counts until the last of them is older
 * than the window: a limit is never exceeded in any 60 seconds, nobody waits longer than that, and the row stays small
 * whatever the limit is.
 */
export type RequestWindow = readonly RequestSlot[];

interface RequestSlot {
  /** When the last of its requests came, in milliseconds. */
  readonly lastAt: number;
  readonly count: number;
}

export const windowMs = 60_000;
const slotMs = 500;

/** `lastAt:count` pairs; what has left the window is dropped. */
export function parseWindow(text: string | undefined, now: number): RequestWindow {
  if (text === undefined || text === "") return [];
  const slots = text.split(" ").map((pair) => {
    const [lastAt = "", count = ""] = pair.split(":");
    return { lastAt: Number.parseInt(lastAt, 36), count: Number(count) };
  });
  return withinWindow(slots, now);
}

/** Without what is not of this window. */
export function withinWindow(window: RequestWindow, now: number): RequestWindow {
  return window.filter(({ lastAt }) => isWithinWindow(lastAt, now));
}

/**
 * Whether what came at a time counts by now: not once it has left the window, nor where it lies more than a window ahead. Then
 * the clock has stepped back since, and whoever used up the limit before would wait until it has come as far again.
 */
export function isWithinWindow(at: number, now: number): boolean {
  return Math.abs(at - now) < windowMs;
}

export function renderWindow(window: RequestWindow): string {
  return window.map(({ lastAt, count }) => `${lastAt.toString(36)}:${count}`).join(" ");
}

export function addToWindow(window: RequestWindow, now: number, count: number): RequestWindow {
  if (count === 0) return window;
  const last = window.at(-1);
  if (last === undefined) return [{ lastAt: now, count }];
  // A clock that stepped back must not open a slot behind the last one: the row stays in order.
  const lastAt = Math.max(now, last.lastAt);
  if (Math.floor(lastAt / slotMs) !== Math.floor(last.lastAt / slotMs)) return [...window, { lastAt, count }];
  return [...window.slice(0, -1), { lastAt, count: last.count + count }];
}

/** Takes back one request. `at` is the `lastAt` of its slot, as it was when the request was added. */
export function removeFromWindow(window: RequestWindow, at: number): RequestWindow {
  const index = window.findIndex(({ lastAt }) => Math.floor(lastAt / slotMs) === Math.floor(at / slotMs));
  const slot = window[index];
  if (slot === undefined) return window;
  return window.toSpliced(index, 1, ...(slot.count > 1 ? [{ ...slot, count: slot.count - 1 }] : []));
}

export function mergeWindows(one: RequestWindow, other: RequestWindow): RequestWindow {
  if (other.length === 0) return one;
  return [...one, ...other].toSorted((left, right) => left.lastAt - right.lastAt);
}

export function usedInWindow(window: RequestWindow): number {
  return window.reduce((sum, { count }) => sum + count, 0);
}

/** Milliseconds until `wanted` of `limit` are free, if nothing more comes. */
export function waitForRoom(window: RequestWindow, now: number, limit: number, wanted: number): number {
  let used = usedInWindow(window);
  if (limit - used >= wanted) return 0;
  for (const slot of window) {
    used -= slot.count;
    if (limit - used >= wanted) return Math.max(0, leavesAt(slot) - now);
  }
  return 0;
}

function leavesAt({ lastAt }: RequestSlot): number {
  return lastAt + windowMs;
}
