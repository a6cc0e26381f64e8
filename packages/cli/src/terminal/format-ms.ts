/**
 * A duration for people: whole milliseconds from 10 ms, one decimal below.
 *
 * @example formatMs(12.46) // "12 ms"
 * @example formatMs(3) // "3.0 ms"
 */
export function formatMs(milliseconds: number): string {
  const tenths = milliseconds.toFixed(1);
  return `${Number(tenths) >= 10 ? Math.round(milliseconds) : tenths} ms`;
}
