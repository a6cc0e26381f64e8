/** `48 ms`, `1.25 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1) return "< 1 ms";
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(2)} s`;
}
