export type Redact = (text: string) => string;

/** Characters from which on a leading part of the key is taken out too; fewer are no secret, and may be the start of a word. */
const shortestPart = 12;
const replacement = "[API key]";

/**
 * Takes the key out of text that comes from outside: an API, or a proxy's error page, may quote the request back, whole or
 * cut off. It knows the key as it is and as it is in a URL, and leading parts of both; nothing is safe from a server that
 * writes it backwards. It has to come before any cutting, which could leave a part of the key.
 */
export function createRedact(apiKey: string): Redact {
  const spellings = [...new Set([apiKey, encodeURIComponent(apiKey)])];
  const starts = spellings.map((spelling) => spelling.slice(0, shortestPart).replaceAll(/\W/g, "\\$&"));
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

/** How many characters of a text, from a place on, are those that another begins with. */
function sharedLength(beginning: string, text: string, from: number): number {
  let length = 0;
  while (length < beginning.length && beginning[length] === text[from + length]) length += 1;
  return length;
}
