/** The prefix of the specification (section 5). */
export const defaultHeaderPrefix = "X-Service";
export const longestHeaderPrefix = 40;

/** The names of the headers of a delivery that a receiver reads. */
export interface SignedHeaderNames {
  readonly event: string;
  readonly delivery: string;
  readonly timestamp: string;
  readonly signature: string;
  /** Only of tests. */
  readonly test: string;
}

const usualNames = toNames(defaultHeaderPrefix);

/** @param prefix such as `X-Acme`. @default "X-Service" */
export function nameSignedHeaders(prefix: string = defaultHeaderPrefix): SignedHeaderNames {
  return prefix === defaultHeaderPrefix ? usualNames : toNames(prefix);
}

function toNames(prefix: string): SignedHeaderNames {
  return {
    event: `${prefix}-Event`,
    delivery: `${prefix}-Delivery`,
    timestamp: `${prefix}-Timestamp`,
    signature: `${prefix}-Signature`,
    test: `${prefix}-Test`,
  };
}

/** Names that begin so belong to Standard Webhooks, to one connection, to the content, or to browsers. */
const foreign = /^(?:connection|content|keep|proxy|sec|te|trailer|transfer|upgrade|webhook)(?:-|$)/iu;

/** Whether a server may use it: what `verify` accepts, and no prefix that names other headers. */
export function isHeaderPrefix(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.length <= longestHeaderPrefix &&
    /^[a-z\d]+(?:-+[a-z\d]+)*$/iu.test(value) &&
    !foreign.test(value)
  );
}

/** The prefix of a request that was sent or received. Without a set of such headers, that of the specification. */
export function findHeaderPrefix(names: Iterable<string>): string {
  const all = [...names];
  const known = new Set(all.map((name) => name.toLowerCase()));
  const prefixes = all.flatMap((name) =>
    /-delivery$/iu.test(name) ? [name.slice(0, -"-delivery".length)] : [],
  );
  const isWhole = (prefix: string): boolean =>
    ["timestamp", "signature"].every((end) => known.has(`${prefix.toLowerCase()}-${end}`));
  return prefixes.find(isWhole) ?? defaultHeaderPrefix;
}
