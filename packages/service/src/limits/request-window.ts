/**
 * How many requests came when, in slots of half a second. A slot counts until all of it is older than the window, so a
 * limit is never exceeded in any 60 seconds, at the price of half a second's patience; and the row stays small whatever
 * the limit is.
 */
export type RequestWindow = readonly { readonly slot: number; readonly count: number }[];

export const windowMs = 60_000;
const slotMs = 500;

/** `slot:count` pairs; what has left the window is dropped. */
export function parseWindow(text: string | undefined, now: number): RequestWindow {
  if (text === undefined || text === "") return [];
  return text
    .split(" ")
    .map((pair) => {
      const [slot = "", count = ""] = pair.split(":");
      return { slot: Number.parseInt(slot, 36), count: Number(count) };
    })
    .filter(({ slot }) => leavesAt(slot) > now);
}

export function renderWindow(window: RequestWindow): string {
  return window.map(({ slot, count }) => `${slot.toString(36)}:${count}`).join(" ");
}

export function addToWindow(window: RequestWindow, now: number, count: number): RequestWindow {
  if (count === 0) return window;
  // A clock that stepped back must not open a slot behind the last one: the row stays in order.
  const slot = Math.max(Math.floor(now / slotMs), window.at(-1)?.slot ?? 0);
  const last = window.at(-1);
  if (last?.slot === slot) return [...window.slice(0, -1), { slot, count: last.count + count }];
  return [...window, { slot, count }];
}

export function usedInWindow(window: RequestWindow): number {
  return window.reduce((sum, { count }) => sum + count, 0);
}

/** Milliseconds until `wanted` of `limit` are free, if nothing more comes. */
export function waitForRoom(window: RequestWindow, now: number, limit: number, wanted: number): number {
  let used = usedInWindow(window);
  if (limit - used >= wanted) return 0;
  for (const { slot, count } of window) {
    used -= count;
    if (limit - used >= wanted) return Math.max(0, leavesAt(slot) - now);
  }
  return 0;
}

function leavesAt(slot: number): number {
  return (slot + 1) * slotMs + windowMs;
}
