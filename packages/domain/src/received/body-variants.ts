export interface BodyVariant {
  /** What was probably done to the body, as the end of "the signature matches the body …". */
  readonly description: string;
  /** What to do about it. */
  readonly advice: string;
  readonly body: Uint8Array;
}

const raw = "Verify the raw bytes, before a body parser reads them.";

/**
 * Guesses the bytes that were signed, from a body that was changed on its way: other white space, another escaping of
 * characters, another encoding, a changed line end.
 */
export function* listBodyVariants(body: Uint8Array): Generator<BodyVariant> {
  const text = decode(body, "utf-8");
  yield* encodingVariants(body, text);
  if (text === undefined) return;
  yield* lineEndVariants(text);
  const unquoted = parseJsonText(text);
  if (typeof unquoted === "string") {
    yield {
      description: "as it was before it was put into a JSON string",
      advice: `The body was serialised twice. ${raw}`,
      body: encode(unquoted),
    };
  }
  yield* jsonVariants(text);
}

function* encodingVariants(body: Uint8Array, text: string | undefined): Generator<BodyVariant> {
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
        body: encode(decoded),
      };
  }
  if (text === undefined) {
    const decoded = decode(body, "latin1");
    if (decoded !== undefined)
      yield {
        description: "converted from Latin-1 to UTF-8",
        advice: wrongEncoding("Latin-1"),
        body: encode(decoded),
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
        body: encode(decoded),
      };
  }
}

function* lineEndVariants(text: string): Generator<BodyVariant> {
  const trimmed = text.trim();
  if (trimmed !== text) {
    yield {
      description: "without the white space around it",
      advice: "White space was added to the body, for example a line break at the end of the file.",
      body: encode(trimmed),
    };
  }
  if (text.includes("\r\n")) {
    yield {
      description: "with LF in place of CRLF",
      advice: "The line ends were changed, for example by an editor or by git.",
      body: encode(text.replaceAll("\r\n", "\n")),
    };
  }
  yield {
    description: "with a line break at its end",
    advice: "The last line break of the body was removed.",
    body: encode(`${text}\n`),
  };
}

/** The forms in which JSON libraries write the same value. */
function* jsonVariants(text: string): Generator<BodyVariant> {
  const value = parseJsonText(text);
  if (typeof value !== "object" || value === null) return;
  const compact = JSON.stringify(value);
  const serialisers: readonly (readonly [string, (from: string) => string])[] = [
    ["compact JSON, as the service writes it", (from) => from],
    ["compact JSON with non-ASCII characters as \\u escapes", escapeNonAscii],
    ["compact JSON with escaped slashes", (from) => from.replaceAll("/", "\\/")],
    ["compact JSON with <, > and & as \\u escapes", escapeHtml],
    ["JSON with a blank after commas and colons", () => spaceOut(value)],
    ["JSON indented by 2", () => JSON.stringify(value, null, 2)],
    ["JSON indented by 4", () => JSON.stringify(value, null, 4)],
    ["compact JSON in the order id, event, project, data", () => JSON.stringify(orderEnvelope(value))],
  ];
  // Numbers such as 1e400 or 10.0 do not survive a parser, so this only moves white space.
  const minified = minify(text);
  if (minified !== compact)
    yield {
      description: "without the white space between its parts",
      advice: reserialised,
      body: encode(minified),
    };
  for (const [name, write] of serialisers) {
    const written = write(compact);
    if (written !== text)
      yield { description: `written as ${name}`, advice: reserialised, body: encode(written) };
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
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return units.every((unit) => unit <= 0xff) ? Uint8Array.from(units) : undefined;
}

/** As lenient as `Buffer`: both alphabets, and anything after the last whole group of digits is ignored. */
function fromBase64(text: string): Uint8Array {
  const digits = text.trim().replaceAll("-", "+").replaceAll("_", "/").replace(/=.*$/su, "");
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
  return Uint8Array.from(atob(whole), (unit) => unit.charCodeAt(0));
}

/** Undefined if it is not JSON. */
function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
