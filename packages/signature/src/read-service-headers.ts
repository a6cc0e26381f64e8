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
 * Returns all headers by lower-case name. A repeated header is joined with commas (RFC 9110, section 5.3). For signatures that
 * is correct, and a repeated timestamp is then not an integer.
 */
export function readServiceHeaders(headers: HeadersInput): ServiceHeaders {
  const found: Record<string, string> = {};
  // Spread first, because an iterator can be walked only once. `flat`, because `rawHeaders` is flat.
  const list = (Symbol.iterator in headers ? [...headers] : Object.entries(headers)).flat();
  for (let index = 0; index < list.length; index += 2) {
    const name = `${list[index]}`.toLowerCase();
    const value = list[index + 1];
    if (value != null) found[name] = (name in found ? `${found[name]},` : "") + value;
  }
  return found;
}
