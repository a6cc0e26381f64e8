/** The difference of another clock to that of this machine, which was read before and after. All in milliseconds. */
export function toClockAhead(before: number, other: number, after: number): number {
  return Math.round(other - (before + after) / 2);
}
