export interface LimitBounds {
  readonly maximum: number;
  /** What an absent or blank parameter means. */
  readonly default: number;
}

/**
 * The `limit` of a query: digits without sign or leading zero, from 1 to the maximum. Undefined for anything else: a
 * value out of range is refused and never clamped, so that a client learns of it.
 *
 * @example parseLimit("50", { maximum: 100, default: 25 }) // 50
 */
export function parseLimit(text: string | undefined, bounds: LimitBounds): number | undefined {
  if (text === undefined || text.trim() === "") return bounds.default;
  if (!/^[1-9][0-9]*$/.test(text)) return undefined;
  const limit = Number(text);
  return limit <= bounds.maximum ? limit : undefined;
}
