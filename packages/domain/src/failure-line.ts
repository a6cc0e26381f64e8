/** Of a longer response, only the beginning is compared. */
const maximumRead = 1_000;
const maximumCompared = 300;
const maximumLength = 160;
/** A word with a digit that is as long is an id. */
const shortestId = 8;

/**
 * What a response says in one line, without what changes from one response to the next: numbers, ids and e-mail addresses. At most 160
 * characters.
 *
 * @example toFailureLine('{"error": "order 8214 not found"}') // '{"error": "order # not found"}'
 */
export function toFailureLine(response: string): string {
  const line = readFailureLine(response).slice(0, maximumCompared);
  const same = line.replaceAll(/[\w.+@-]+/gu, (word) => {
    if (/.@./u.test(word)) return "…@…";
    if (word.length >= shortestId && /\d/u.test(word)) return "#";
    return word.replaceAll(/\d+/gu, "#");
  });
  return [...same].slice(0, maximumLength).join("");
}

/** The line of a response that says most: all of a JSON text, the title of an HTML page, else the first line. */
export function readFailureLine(response: string): string {
  const text = response.slice(0, maximumRead).trim();
  const isJson = text.startsWith("{") || text.startsWith("[");
  const line = readPage(text) ?? (isJson ? text : text.split(/[\r\n\u2028\u2029]/u, 1).join(""));
  return line.replaceAll(/\s+/gu, " ").trim();
}

const entities: Readonly<Record<string, string>> = { "#39": "'", quot: '"', lt: "<", gt: ">", amp: "&" };

/** The title of an HTML page. A page of Express has the title "Error", and the error in its first preformatted line. */
function readPage(text: string): string | undefined {
  const title = /<title[^<>]*>([^<]*)/iu.exec(text)?.[1];
  const shown = title?.trim() === "Error" ? (/<pre>([^<\n]*)/iu.exec(text)?.[1] ?? title) : title;
  return shown?.replaceAll(/&(#39|quot|lt|gt|amp);/gu, (entity, name: string) => entities[name] ?? entity);
}
