import type { HeadersByName, HeadersInput, HeaderValue, ServiceHeaders } from "../read-service-headers.ts";

/**
 * Reads two common shapes faster than `readServiceHeaders`: Fetch `Headers` by name, and plain objects
 * without a list of entries. Returns `undefined` for other shapes.
 */
export function readNodeHeaders(headers: HeadersInput): ServiceHeaders | undefined {
  if (headers instanceof Headers)
    return {
      "x-service-timestamp": headers.get("x-service-timestamp") ?? undefined,
      "x-service-signature": headers.get("x-service-signature") ?? undefined,
      "x-service-event": headers.get("x-service-event") ?? undefined,
      "x-service-test": headers.get("x-service-test") ?? undefined,
    };
  if (!headers || isIterable(headers)) return undefined;
  let timestamp: string | undefined;
  let signature: string | undefined;
  let event: string | undefined;
  let test: string | undefined;
  for (const name in headers) {
    // The names have 14, 15 or 19 letters, so few other headers need a lower-case copy.
    const { length } = name;
    if ((length !== 14 && length !== 15 && length !== 19) || !Object.hasOwn(headers, name)) continue;
    const key = name.toLowerCase();
    if (key === "x-service-timestamp") timestamp = join(timestamp, headers[name]);
    else if (key === "x-service-signature") signature = join(signature, headers[name]);
    else if (key === "x-service-event") event = join(event, headers[name]);
    else if (key === "x-service-test") test = join(test, headers[name]);
  }
  return {
    "x-service-timestamp": timestamp,
    "x-service-signature": signature,
    "x-service-event": event,
    "x-service-test": test,
  };
}

/** Anything with the methods of `Headers` can be iterated, although older type declarations do not say so. */
function isIterable(headers: HeadersInput): headers is Exclude<HeadersInput, HeadersByName> {
  return Symbol.iterator in headers;
}

/** An equal value under another spelling of the name counts once, as in `readServiceHeaders`. */
function join(before: string | undefined, value: HeaderValue): string | undefined {
  if (value == null) return before;
  const text = `${value}`;
  return before === undefined || before === text ? text : `${before},${text}`;
}
