/**
 * The times of recent requests. Requests of the same half second share a slot, so the row stays small. A slot counts until its last
 * request leaves the window, so the limit is never exceeded and nobody waits longer than 60 seconds.
 */
export type RequestWindow = readonly RequestSlot[];

interface RequestSlot {
  /** The time of its last request, in milliseconds since the epoch. */
  readonly lastAt: number;
  readonly count: number;
}

export const windowMs = 60_000;
const slotMs = 500;

/** Parses `lastAt:count` pairs. Drops slots outside the window. */
export function parseWindow(text: string | undefined, now: number): RequestWindow {
  if (text === undefined || text === "") return [];
  const slots = text.split(" ").map((pair) => {
    const [lastAt = "", count = ""] = pair.split(":");
    return { lastAt: Number.parseInt(lastAt, 36), count: Number(count) };
  });
  return withinWindow(slots, now);
}

/** Drops slots outside the window. */
export function withinWindow(window: RequestWindow, now: number): RequestWindow {
  return window.filter(({ lastAt }) => isWithinWindow(lastAt, now));
}

/**
 * Whether a request still counts. A time more than a window in the future does not: the clock has stepped back, and the client
 * would wait until the clock has caught up.
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
  // Slots stay in order even if the clock stepped back.
  const lastAt = Math.max(now, last.lastAt);
  if (Math.floor(lastAt / slotMs) !== Math.floor(last.lastAt / slotMs)) return [...window, { lastAt, count }];
  return [...window.slice(0, -1), { lastAt, count: last.count + count }];
}

/** Removes one request. `at` is the `lastAt` that its slot had when the request was added. */
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

/** Milliseconds until `wanted` more requests are allowed, without further requests. */
export function msUntilFree(window: RequestWindow, now: number, limit: number, wanted: number): number {
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
