/** Begins what is kept under a key that expires, and what would otherwise be taken for it. */
const expiryMark = "\u0001";

/** Stands for no text where one is asked for as it is stored: none is stored as just that. */
export const absentText = expiryMark;

/**
 * What is kept under a key: the text itself; with an expiry `\u0001<milliseconds>:` before it. A text that begins with the
 * mark gets it without a time, so that every text can be told from every header.
 */
export function toStoredText(text: string, expiresAt: number | undefined): string {
  if (expiresAt !== undefined) return `${expiryMark}${expiresAt}:${text}`;
  return text.startsWith(expiryMark) ? `${expiryMark}:${text}` : text;
}

/** The text of what is kept, or `undefined` where there is none or it has expired. */
export function visibleText(stored: unknown, now: number): string | undefined {
  if (typeof stored !== "string") return undefined;
  if (!stored.startsWith(expiryMark)) return stored;
  const colon = stored.indexOf(":");
  if (colon > 1 && Number(stored.slice(1, colon)) <= now) return undefined;
  return stored.slice(colon + 1);
}
