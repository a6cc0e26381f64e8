export interface BodyVariant {
  /** What was probably done to the body, as the end of "the signature matches the body …". */
  readonly description: string;
  /** What to do about it. */
  readonly advice: string;
  readonly body: Uint8Array;
}

const raw = "Verify the raw bytes, before a body parser reads them.";

/** A variant that is not encoded yet. */
type Guess = Omit<BodyVariant, "body"> & { readonly body: Uint8Array | string };

/** Whether a text of so many UTF-16 units can be the body that is looked for. */
type CanHave = (units: number) => boolean;

/**
 * Guesses the bytes that were signed, from a body that was changed on its way: other white space, another escaping of
 * characters, another encoding, a changed line end. No JSON form is guessed of a body of more than 64 levels.
 *
 * @param length of the bytes that were signed, if it is known: others are not built. Else no variant has more than
 *   eight times the length of the body and 64 KiB.
 */
export function* listBodyVariants(body: Uint8Array, length?: number): Generator<BodyVariant> {
  const canHave: CanHave = (units) =>
    length === undefined ? units <= longestVariant(body.length) : units <= length && length <= units * 3;
  for (const guess of guessBodies(body, canHave)) {
    if (typeof guess.body === "string" && !canHave(guess.body.length)) continue;
    const bytes = typeof guess.body === "string" ? encode(guess.body) : guess.body;
    if (length === undefined || bytes.length === length) yield { ...guess, body: bytes };
  }
}

/** No usual change makes a body of so many bytes longer than this. */
export function longestVariant(bytes: number): number {
  return bytes * 8 + 65_536;
}

function* guessBodies(body: Uint8Array, canHave: CanHave): Generator<Guess> {
  const text = decode(body, "utf-8");
  yield* encodingVariants(body, text);
  if (text === undefined) return;
  yield* lineEndVariants(text);
  const value = parseBody(text);
  if (typeof value === "string") {
    yield {
      description: "as it was before it was put into a JSON string",
      advice: `The body was serialised twice. ${raw}`,
      body: value,
    };
  }
  if (typeof value === "object" && value !== null) yield* jsonVariants(text, value, canHave);
}

function* encodingVariants(body: Uint8Array, text: string | undefined): Generator<Guess> {
  const wrongEncoding = (name: string): string =>
    `The body was read as ${name}. Read it as bytes, or as UTF-8. ${raw}`;
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) {
    yield {
      description: "without the byte order mark",
      advice: `An editor or a program added a byte order mark. ${raw}`,
      body: body.subarray(3),
    };
  }
  for (const name of ["utf-16le", "utf-16be"] as const) {
    const decoded = decode(body, name);
    if (decoded !== undefined && /^\s*[[{"]/u.test(decoded))
      yield {
        description: `converted from ${name} to UTF-8`,
        advice: wrongEncoding(name),
        body: decoded,
      };
  }
  if (text === undefined) {
    const decoded = decode(body, "latin1");
    if (decoded !== undefined)
      yield {
        description: "converted from Latin-1 to UTF-8",
        advice: wrongEncoding("Latin-1"),
        body: decoded,
      };
    return;
  }
  const asLatin1 = toSingleBytes(text);
  if (asLatin1 !== undefined && asLatin1.length !== body.length) {
    yield {
      description: "as UTF-8. The file has those bytes converted from Latin-1 to UTF-8 once more",
      advice: wrongEncoding("Latin-1"),
      body: asLatin1,
    };
  }
  if (/^[\w+/=-]+\s*$/u.test(text)) {
    yield {
      description: "decoded from base64",
      advice: 'The body is still base64. Decode it: Buffer.from(body, "base64").',
      body: fromBase64(text),
    };
  }
  if (/%[\dA-Fa-f]{2}/u.test(text)) {
    const decoded = decodePercents(text);
    if (decoded !== undefined)
      yield {
        description: "decoded from URL encoding",
        advice: `The body was read as a form. ${raw}`,
        body: decoded,
      };
  }
}

function* lineEndVariants(text: string): Generator<Guess> {
  const trimmed = text.trim();
  if (trimmed !== text) {
    yield {
      description: "without the white space around it",
      advice: "White space was added to the body, for example a line break at the end of the file.",
      body: trimmed,
    };
  }
  if (text.includes("\r\n")) {
    yield {
      description: "with LF in place of CRLF",
      advice: "The line ends were changed, for example by an editor or by git.",
      body: text.replaceAll("\r\n", "\n"),
    };
  }
  yield {
    description: "with a line break at its end",
    advice: "The last line break of the body was removed.",
    body: `${text}\n`,
  };
}

/** The forms in which JSON libraries write the same value. */
function* jsonVariants(text: string, value: object, canHave: CanHave): Generator<Guess> {
  // Numbers such as 1e400 or 10.0 do not survive a parser, so this only moves white space.
  const minified = minify(text);
  const compact = JSON.stringify(value);
  if (minified !== compact)
    yield { description: "without the white space between its parts", advice: reserialised, body: minified };
  const { length } = compact;
  const { separators, colons, lines, levels } = measure(compact);
  const indented = (by: number): number => length + colons + lines + levels * by;
  // In UTF-8, an escape takes up to six times the bytes of its character.
  const escaped = [length, length * 2];
  const serialisers: readonly (readonly [string, readonly number[], () => string])[] = [
    ["compact JSON, as the service writes it", [length], () => compact],
    ["compact JSON with non-ASCII characters as \\u escapes", escaped, () => escapeNonAscii(compact)],
    ["compact JSON with escaped slashes", escaped, () => compact.replaceAll("/", "\\/")],
    ["compact JSON with <, > and & as \\u escapes", escaped, () => escapeHtml(compact)],
    ["JSON with a blank after commas and colons", [length + separators], () => spaceOut(value)],
    ["JSON indented by 2", [indented(2)], () => JSON.stringify(value, null, 2)],
    ["JSON indented by 4", [indented(4)], () => JSON.stringify(value, null, 4)],
    [
      "compact JSON in the order id, event, project, data",
      [length],
      () => (Array.isArray(value) ? compact : JSON.stringify(orderEnvelope(value))),
    ],
  ];
  for (const [name, units, write] of serialisers) {
    if (!units.some(canHave)) continue;
    const written = write();
    if (written !== text) yield { description: `written as ${name}`, advice: reserialised, body: written };
  }
}

const reserialised = `The body was parsed and serialised again. ${raw}`;

/** Removes white space outside of strings. */
function minify(json: string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|\s+/gsu, (part) => (part.startsWith('"') ? part : ""));
}

/** As Python's `json.dumps` writes it. */
function spaceOut(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaceOut).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${spaceOut(each)}`);
  return `{${members.join(", ")}}`;
}

function escapeNonAscii(json: string): string {
  return json.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function escapeHtml(json: string): string {
  return json.replaceAll(/[<>&]/gu, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The order of the envelope (specification, section 6.2). Keys inside `data` stay where they are. */
function orderEnvelope(value: object): object {
  return { id: undefined, event: undefined, project: undefined, data: undefined, ...value };
}

function decodePercents(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    // It only looked encoded.
    return undefined;
  }
}

/** Undefined if the bytes are not in this encoding. */
function decode(
  bytes: Uint8Array,
  encoding: "utf-8" | "utf-16le" | "utf-16be" | "latin1",
): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes).replace(/^\ufeff/u, "");
  } catch {
    return undefined;
  }
}

/** One byte for each character. Undefined if a character needs more. */
function toSingleBytes(text: string): Uint8Array | undefined {
  return /^[\0-\u00ff]*$/.test(text) ? Uint8Array.from(text, (unit) => unit.charCodeAt(0)) : undefined;
}

/** As lenient as `Buffer`: both alphabets, and anything after the last whole group of digits is ignored. */
function fromBase64(text: string): Uint8Array {
  const digits = text.trim().replaceAll("-", "+").replaceAll("_", "/").replace(/=.*$/su, "");
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
  return Uint8Array.from(atob(whole), (unit) => unit.charCodeAt(0));
}

/** Events have at most 32 levels of data. `JSON.stringify` fails at some thousands. */
const deepestBody = 64;

/** The value of a JSON text. Undefined if it is not JSON, or has more than 64 levels. */
export function parseBody(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return measure(text).depth > deepestBody ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Counts what decides how long the forms of a JSON text are. `levels` are those of all lines of its indented form. */
function measure(json: string) {
  const counts = { depth: 0, separators: 0, colons: 0, lines: 0, levels: 0 };
  let depth = 0;
  const breakLine = (): void => {
    counts.lines++;
    counts.levels += depth;
  };
  for (let at = 0; at < json.length; at++) {
    const unit = json[at];
    if (unit === '"') {
      for (at++; json[at] !== '"'; at++) if (json[at] === "\\") at++;
    } else if (unit === "[" || unit === "{") {
      const isEmpty = json[at + 1] === "]" || json[at + 1] === "}";
      if (isEmpty) at++;
      else {
        counts.depth = Math.max(counts.depth, ++depth);
        breakLine();
      }
    } else if (unit === "]" || unit === "}") {
      depth--;
      breakLine();
    } else if (unit === "," || unit === ":") {
      counts.separators++;
      if (unit === ":") counts.colons++;
      else breakLine();
    }
  }
  return counts;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
