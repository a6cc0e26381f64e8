export type Redact = (text: string) => string;

/**
 * A leading part of the key with at least this length is removed too. A shorter part is not secret and may be
 * a word.
 */
const minPartLength = 12;
const replacement = "[API key]";

/**
 * Removes the key from received text, because an API or a proxy may quote the request completely or in part.
 * Covers the key, its URL encoding, and leading parts of both. Must run before any truncation, which could
 * leave a part of the key.
 */
export function createRedact(apiKey: string): Redact {
  const spellings = [...new Set([apiKey, encodeURIComponent(apiKey)])];
  const starts = spellings.map((spelling) => spelling.slice(0, minPartLength).replaceAll(/\W/g, "\\$&"));
  const start = new RegExp(starts.join("|"), "g");
  return (text) => {
    let whole = text;
    for (const spelling of spellings) whole = whole.replaceAll(spelling, () => replacement);
    let redacted = "";
    let from = 0;
    for (const { index } of whole.matchAll(start)) {
      if (index < from) continue;
      redacted += whole.slice(from, index) + replacement;
      from = index + Math.max(...spellings.map((spelling) => sharedLength(spelling, whole, index)));
    }
    return redacted + whole.slice(from);
  };
}

/** Returns the length of the longest prefix of `beginning` at a position of a text. */
function sharedLength(beginning: string, text: string, from: number): number {
  let length = 0;
  while (length < beginning.length && beginning[length] === text[from + length]) length += 1;
  return length;
}
