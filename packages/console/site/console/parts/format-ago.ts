const units = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/** @example formatAgo("2026-11-27T02:06:00Z", now) // "3 min ago", "in 12 s" or "now" */
export function formatAgo(at: string, nowMs: number): string {
  const seconds = Math.round((Date.parse(at) - nowMs) / 1_000);
  const text = formatSpan(Math.abs(seconds));
  if (text === "0 s") return "now";
  return seconds < 0 ? `${text} ago` : `in ${text}`;
}

/** A duration in its largest unit. @example formatSpan(7_300) // "2 h" */
export function formatSpan(seconds: number): string {
  for (const [unit, length] of units) if (seconds >= length) return `${Math.floor(seconds / length)} ${unit}`;
  return "0 s";
}

/** A duration in its two largest units. @example formatExactSpan(192) // "3 min 12 s" */
export function formatExactSpan(seconds: number): string {
  const index = units.findIndex(([, length]) => seconds >= length);
  const [unit, length] = units[index] ?? units[3];
  const rest = seconds % length;
  const next = units[index + 1];
  const first = `${Math.floor(seconds / length)} ${unit}`;
  return next === undefined || rest < next[1] ? first : `${first} ${Math.floor(rest / next[1])} ${next[0]}`;
}
