export interface LimitBounds {
  readonly maximum: number;
  /** The value for a missing or blank parameter. */
  readonly default: number;
}

/**
 * Parses the `limit` of a query: digits without a sign or leading zeros, from 1 to the maximum. Returns
 * `undefined` for anything else. Values out of range are rejected, not clamped, so that clients notice.
 *
 * @example parseLimit("50", { maximum: 100, default: 25 }) // 50
 */
export function parseLimit(text: string | undefined, bounds: LimitBounds): number | undefined {
  if (text === undefined || text.trim() === "") return bounds.default;
  if (!/^[1-9][0-9]*$/.test(text)) return undefined;
  const limit = Number(text);
  return limit <= bounds.maximum ? limit : undefined;
}
