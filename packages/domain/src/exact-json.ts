/** A number with 16 digits or more, or with an exponent of three digits. A text with such digits matches too. */
const mayLoseDigits = /(?:^|[[:,\s])-?\d(?:[\d.]{15}|[\d.]*e[+-]?\d{3})/i;

/** What {@link parseJson} returns. */
export type Json = string | number | bigint | boolean | null | Json[] | { readonly [name: string]: Json };

/** `JSON.parse` passes the digits of a number as they were sent, in a call for each value that takes half a microsecond. */
type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;

/**
 * Parses JSON like `JSON.parse`, but never changes the digits of a number. An integer beyond 2 ** 53 becomes a
 * `bigint`. Another number that JavaScript cannot hold, or with more than 400 characters, becomes its text.
 *
 * @param options.maximumValues of a text that has a long number. @default 1,000,000
 * @throws SyntaxError for a text that is no JSON
 * @throws RangeError for a text that has a long number, and more values, or thousands of levels
 * @example parseJson('{"id":9007199254740993,"total":9.5}') // { id: 9007199254740993n, total: 9.5 }
 */
export function parseJson(text: string, { maximumValues = 1_000_000 } = {}): Json {
  if (!mayLoseDigits.test(text)) return JSON.parse(text);
  let values = 0;
  const keepDigits: Reviver = (_, value, context) => {
    values += 1;
    if (values > maximumValues)
      throw new RangeError(`A text with a long number must have at most ${maximumValues} values.`);
    return typeof value === "number" && context?.source !== undefined
      ? toExact(value, context.source)
      : value;
  };
  return JSON.parse(text, keepDigits);
}

/** The numbers of JavaScript have at most 343 characters. Longer ones would block the process while they are converted. */
const longestNumber = 400;

function toExact(value: number, source: string): number | bigint | string {
  if (source.length > longestNumber) return source;
  const whole = /^(-?\d+)(?:\.0*)?$/u.exec(source)?.[1];
  if (whole !== undefined) return Number.isSafeInteger(value) ? value : BigInt(whole);
  const digits = significantDigits(source);
  // Too large for JavaScript, or too small.
  if (!Number.isFinite(value) || (value === 0 && digits > 0)) return source;
  // Every number of 64 bits can be written with 17 digits, and some programs do so.
  return digits <= 17 ? value : source;
}

function significantDigits(source: string): number {
  const [mantissa = ""] = source.split(/e/iu);
  const digits = mantissa.replace(/[-.]/gu, "").replace(/^0+/u, "");
  let end = digits.length;
  // A regular expression would look at each run of zeros again from each of its zeros.
  while (digits[end - 1] === "0") end -= 1;
  return end;
}

/** TypeScript does not know `rawJSON` yet, which writes a number with all its digits. */
const json: JSON & { rawJSON?(text: string): unknown } = JSON;

/**
 * Converts a value to JSON like `JSON.stringify`. A `bigint` becomes a number with all its digits, and half of a
 * surrogate pair U+FFFD.
 *
 * @param options.indent the spaces of each level. @default everything is on one line
 */
export function stringifyJson(value: unknown, { indent = 0 } = {}): string {
  const keepDigits = (_: string, each: unknown): unknown => {
    if (typeof each === "string") return each.toWellFormed();
    if (typeof each !== "bigint") return each;
    return json.rawJSON?.(String(each)) ?? String(each);
  };
  return JSON.stringify(value, keepDigits, indent);
}
