export type HeaderValue = string | readonly string[] | undefined;

/**
 * Request headers in any shape: Fetch `Headers`, a `Map`, an iterable of pairs, a plain object (names in
 * any case, as Node's `request.headers` or `headersDistinct`), or Node's flat `request.rawHeaders`.
 */
export type HeadersInput = Iterable<string | readonly [string, HeaderValue]> | HeadersByName | FetchHeaders;

/** A plain object, names in any case. */
export interface HeadersByName {
  readonly [name: string]: HeaderValue;
}

/**
 * Fetch `Headers` as TypeScript 5 declares them if `lib` has `dom` or `webworker` without the matching `.iterable`. At run time
 * all of them can be iterated.
 */
export interface FetchHeaders {
  get(name: string): string | null;
  has(name: string): boolean;
  forEach(callback: (value: string, name: string) => void): void;
}

/** Request headers by lower-case name. */
export type ServiceHeaders = Readonly<Record<string, string | undefined>>;

/**
 * Returns all headers by lower-case name. A repeated header is joined with commas (RFC 9110, section 5.3). A
 * repeated timestamp is then not an integer.
 *
 * A plain object may have one header in two spellings, for example on AWS Lambda. Equal values count once
 * there. In an iterable each entry may be a header line of its own, so every value counts.
 */
export function readServiceHeaders(headers: HeadersInput): ServiceHeaders {
  const found: Record<string, string> = {};
  const isList = Symbol.iterator in headers;
  // Spread first, because an iterator can be consumed only once. `flat`, because `rawHeaders` is flat.
  const list = (isList ? [...headers] : Object.entries(headers)).flat();
  while (list.length) {
    const name = `${list.shift()}`.toLowerCase();
    const value = list.shift();
    if (value == null) continue;
    if (!(name in found)) found[name] = `${value}`;
    else if (isList || found[name] !== `${value}`) found[name] += `,${value}`;
  }
  return found;
}
