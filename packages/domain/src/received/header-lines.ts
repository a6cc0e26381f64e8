/** Header lines in their order. A repeated header stays repeated. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

export type ParsedHeaders =
  | {
      readonly ok: true;
      readonly headers: HeaderLines;
      /** What follows the blank line after the headers. Undefined: there is no blank line. */
      readonly rest: string | undefined;
    }
  /** The number of the first line that is no header. */
  | { readonly ok: false; readonly line: number };

/** The values of a header, whatever the case of its name. */
export function valuesOf(headers: HeaderLines, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  return headers.filter(([each]) => each.toLowerCase() === wanted).map(([, value]) => value);
}

/** Parses header lines, with or without a request line, as they are in logs and in the output of `curl -v`. */
export function parseHeaderLines(text: string): ParsedHeaders {
  const headers: [string, string][] = [];
  let at = 0;
  for (let line = 1; at < text.length; line++) {
    const end = text.indexOf("\n", at);
    const next = end === -1 ? text.length : end + 1;
    // `curl -v` marks the lines that were sent.
    const plain = text
      .slice(at, end === -1 ? undefined : end)
      .replace(/\r$/u, "")
      .replace(/^[<>] ?/u, "");
    at = next;
    if (plain.trim() === "") {
      if (headers.length > 0) return { ok: true, headers, rest: text.slice(at) };
      continue;
    }
    if (/^[A-Z]+ \S+ HTTP\/[\d.]+$/u.test(plain) || /^HTTP\/[\d.]+ \d+/u.test(plain)) continue;
    const [, name, value] = /^([^\s:]+)\s*:\s?(.*)$/u.exec(plain) ?? [];
    if (name === undefined || value === undefined) return { ok: false, line };
    headers.push([name, value.trimEnd()]);
  }
  return { ok: true, headers, rest: undefined };
}

/** A request that was printed as an object. */
export interface PrintedRequest {
  readonly headers: HeaderLines;
  /** Undefined: there is none, or it is no text. */
  readonly body: string | undefined;
}

/**
 * Parses headers as a JSON object, or as Node and Python print one. Headers may be below `headers`, with a text `body` beside it. An array
 * is a repeated header.
 *
 * @returns `undefined`: it is neither
 */
export function parsePrintedRequest(text: string): PrintedRequest | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    const headers = parsePrintedObject(text);
    return headers.length === 0 ? undefined : { headers, body: undefined };
  }
  if (!isObject(content)) return undefined;
  const { headers, body } = content;
  return {
    headers: Object.entries(isObject(headers) ? headers : content).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).flatMap((each) =>
        typeof each === "object" ? [] : [[name, String(each)] as const],
      ),
    ),
    body: isObject(headers) && typeof body === "string" ? body : undefined,
  };
}

/** Names may be in quotes. A value is in single or double ones. */
function parsePrintedObject(text: string): HeaderLines {
  const fields = text.matchAll(/(?:^|[{,\s])['"]?([\w-]+)['"]?\s*:\s*(?:'([^'\r\n]*)'|"([^"\r\n]*)")/gu);
  return Array.from(fields, ([, name = "", single, double = ""]) => [name, single ?? double] as const);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
