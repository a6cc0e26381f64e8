/** Of a longer response, only the beginning is compared. */
const maximumRead = 1_000;
const maximumCompared = 300;
const maximumLength = 160;
/** A word with a digit that is as long is an id. */
const shortestId = 8;

/**
 * What a response says in one line, without what changes from one response to the next: numbers, ids and e-mail addresses. The title of an
 * HTML page, all of a JSON text, else the first line. At most 160 characters.
 *
 * @example toFailureLine('{"error": "order 8214 not found"}') // '{"error": "order # not found"}'
 */
export function toFailureLine(response: string): string {
  const text = response.slice(0, maximumRead).trim();
  const title = /<title[^<>]*>([^<]*)/iu.exec(text)?.[1];
  const isJson = text.startsWith("{") || text.startsWith("[");
  const line = (title ?? (isJson ? text : text.split(/[\r\n]/u, 1).join("")))
    .replaceAll(/\s+/gu, " ")
    .trim()
    .slice(0, maximumCompared);
  const same = line.replaceAll(/[\w.+@-]+/gu, (word) => {
    if (/.@./u.test(word)) return "…@…";
    if (word.length >= shortestId && /\d/u.test(word)) return "#";
    return word.replaceAll(/\d+/gu, "#");
  });
  return [...same].slice(0, maximumLength).join("");
}
