/** The end of an axis that shows counts up to `maximum`. Its middle is a whole number too. @example niceEnd(37) // 40 */
export function niceEnd(maximum: number): number {
  if (maximum <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(maximum));
  const factor = [1, 2, 4, 6, 10].find((each) => each * power >= maximum) ?? 10;
  return factor * power;
}

/** The place of a duration on a logarithmic axis from 1 ms (0) to 10 s (1). */
export function logPlace(milliseconds: number): number {
  return Math.min(1, Math.max(0, Math.log10(Math.max(1, milliseconds)) / 4));
}

/** @example formatCount(12_345) // "12,345" */
export function formatCount(count: number): string {
  return count.toLocaleString("en");
}

/** The number that was entered, null if nothing was. Other text stays as it is: the API says what it must be. */
export function parseNumber(text: string): number | string | null {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  return /^-?\d+(?:\.\d+)?$/u.test(trimmed) ? Number(trimmed) : trimmed;
}

/** Counts of the API end at this number. */
export const maximumCount = 10_000;

/** A count of the API, which may be more than it says. @example formatCounted(10_000) // "10,000+" */
export function formatCounted(count: number): string {
  return count >= maximumCount ? `${formatCount(maximumCount)}+` : formatCount(count);
}

/** Rounded down, so that 100 % means all. @example formatShare(0.9996) // "99.9 %" */
export function formatShare(share: number | null): string {
  if (share === null) return "–";
  const tenths = Math.floor(share * 1_000) / 10;
  return `${tenths % 1 === 0 ? tenths : tenths.toFixed(1)} %`;
}

/** Attempts after the first one. @example describeRetried(1) // "1 retry" */
export function describeRetried(count: number): string {
  return `${formatCount(count)} ${count === 1 ? "retry" : "retries"}`;
}

/** @example formatBytes(3_145_728) // "3.0 MiB" */
export function formatBytes(bytes: number): string {
  const mebibytes = bytes / 2 ** 20;
  return mebibytes < 0.1 ? "< 0.1 MiB" : `${mebibytes.toFixed(1)} MiB`;
}
