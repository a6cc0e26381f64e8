export type Redact = (text: string) => string;

/**
 * A leading part of the key with at least this length is removed too. A shorter part is not secret and may be
 * a word.
 */
const minPartLength = 12;

/**
 * Removes the key, or the host token, from received text, because an API or a proxy may quote the request completely
 * or in part. It covers the key, its URL encoding, and leading parts of both. It must run before any truncation, which
 * could leave a part of the key.
 */
export function createRedact(key: string, replacement: string): Redact {
  const spellings = [...new Set([key, encodeURIComponent(key)])];
  const starts = spellings.map((spelling) => spelling.slice(0, minPartLength).replaceAll(/\W/g, "\\$&"));
  const start = new RegExp(starts.join("|"), "g");
  return (text) => {
    let whole = text;
    for (const spelling of spellings) whole = whole.replaceAll(spelling, () => replacement);
    let redacted = "";
    let from = 0;
    for (const { index } of whole.matchAll(start)) {
      if (index < from) continue;
      redacted += whole.slice(from, index) + replacement;
      from = index + Math.max(...spellings.map((spelling) => sharedLength(spelling, whole, index)));
    }
    return redacted + whole.slice(from);
  };
}

/** Returns the length of the longest prefix of `beginning` at a position of a text. */
function sharedLength(beginning: string, text: string, from: number): number {
  let length = 0;
  while (length < beginning.length && beginning[length] === text[from + length]) length += 1;
  return length;
}

/** Returns one line of limited length without control characters. A truncated text ends with an ellipsis. */
export function toExcerpt(text: string, longest: number): string {
  const line = text
    .slice(0, longest * 5)
    .replaceAll(/[\s\p{C}]+/gu, " ")
    .trim();
  // The cut may split a surrogate pair.
  return line.length > longest ? `${line.slice(0, longest).replace(/\p{Cs}$/u, "")}…` : line;
}

const maxCauseChain = 5;

/**
 * Copies only the name, message, stack, `code` and causes of a thrown value. Errors of fetch layers contain
 * the request with the key in properties that loggers print.
 */
export function copyCause(thrown: unknown, redact: Redact, depth = 0): Error | undefined {
  if (thrown === undefined || thrown === null || depth === maxCauseChain) return undefined;
  const { name, message, stack, code, cause } = readError(thrown);
  const innerCause = copyCause(cause, redact, depth + 1);
  const copy = new Error(redact(message), innerCause === undefined ? undefined : { cause: innerCause });
  Object.defineProperty(copy, "name", { value: redact(name), configurable: true, writable: true });
  if (stack !== undefined)
    Object.defineProperty(copy, "stack", { value: redact(stack), configurable: true, writable: true });
  return code === undefined ? copy : Object.assign(copy, { code: redact(code) });
}

/** Returns the messages of an error and its causes. Node's own message is only `fetch failed`. */
export function describeCause(error: Error | undefined): string {
  const messages: string[] = [];
  let current: unknown = error;
  while (current instanceof Error) {
    if (current.message !== "") messages.push(current.message);
    current = current.cause;
  }
  return messages.join(": ");
}

/** Reads by shape, because the error may be from another realm. */
function readError(thrown: unknown) {
  if (typeof thrown !== "object" || thrown === null)
    return { name: "Error", message: String(thrown), stack: undefined, code: undefined, cause: undefined };
  const textOf = (field: string): string | undefined => {
    const value: unknown = Reflect.get(thrown, field);
    return typeof value === "string" ? value : undefined;
  };
  const code = textOf("code");
  // An AggregateError for several addresses has an empty message.
  const errors: unknown = Reflect.get(thrown, "errors");
  const [first]: unknown[] = Array.isArray(errors) ? errors : [];
  return {
    name: textOf("name") ?? "Error",
    message: textOf("message") ?? "",
    stack: textOf("stack"),
    code,
    cause: Reflect.get(thrown, "cause") ?? first,
  };
}
