/**
 * The headers of an answer as they came: a name in lower case, its value, the next name, … A list, because an object would have
 * names of a stranger's choosing as its keys, and be slow to write as JSON for it.
 */
export type HeaderList = readonly string[];

/** The value of a header; those of repeated ones are joined with a comma (RFC 9110 §5.3). */
export function headerValue(headers: HeaderList, name: string): string | undefined {
  let found: string | undefined;
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at] === name) found = found === undefined ? headers[at + 1] : `${found}, ${headers[at + 1]}`;
  }
  return found;
}

/** All of them by name. */
export function toHeaderRecord(headers: HeaderList): Record<string, string> {
  const values = new Map<string, string>();
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? "";
    const value = headers[at + 1] ?? "";
    const earlier = values.get(name);
    values.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return Object.fromEntries(values);
}
