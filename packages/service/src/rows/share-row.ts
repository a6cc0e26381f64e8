/** A link to a delivery. Times are milliseconds since the epoch. */
export interface ShareRow {
  readonly id: string;
  readonly created_at: number;
  readonly expires_at: number;
}

/** The longest life of a link. */
export const shareLifetimeMs = 30 * 24 * 60 * 60 * 1_000;

/** All links to one delivery are one row, so that their number has an exact limit. The row expires with the last of them. */
export function renderShares(shares: readonly ShareRow[]): string {
  return JSON.stringify(shares);
}

export function parseShares(text: string | undefined): readonly ShareRow[] {
  return text === undefined ? [] : JSON.parse(text);
}
