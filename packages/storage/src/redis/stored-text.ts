/** Begins a stored text with an expiry, and every text that begins with this character. */
const expiryMark = "\u0001";

/** Means "absent" in place of a stored text. No stored text has this value. */
export const absentText = expiryMark;

/**
 * Encodes a text: unchanged, or with `\u0001<milliseconds>:` before it if it expires. A text that begins with
 * the mark gets `\u0001:`, so every stored text is unambiguous.
 */
export function toStoredText(text: string, expiresAt: number | undefined): string {
  if (expiresAt !== undefined) return `${expiryMark}${expiresAt}:${text}`;
  return text.startsWith(expiryMark) ? `${expiryMark}:${text}` : text;
}
