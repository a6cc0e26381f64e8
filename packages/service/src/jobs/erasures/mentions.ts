import { normaliseEmail } from "@hookwright/domain";

/** What is in the place of an address that was erased. */
export const erasedText = "[erased]";

/** Finds a person in stored texts. */
export interface Mentions {
  has(text: string): boolean;
  /** Replaces the address and the ids. The text stays JSON. */
  redact(text: string): string;
}

/**
 * Finds an address in any case, also percent-encoded, and ids. An address that only ends or begins with it is another one, such as
 * `joanna@example.com` for `anna@example.com`.
 */
export function createMentions(email: string, ids: readonly string[]): Mentions {
  const address = Array.from(email, toPattern).join("");
  // In JSON text, a letter before the address may belong to an escape, such as the n of a line break.
  const start = String.raw`(?:(?<=\\[bfnrt]|\\u[\da-f]{4}|%[\da-f]{2})|(?<![\p{L}\p{N}._+-]))`;
  const end = String.raw`(?![\p{L}\p{N}]|[\p{L}\p{N}-]*\.[\p{L}\p{N}])`;
  const pattern = new RegExp([`${start}${address}${end}`, ...ids.map(escape)].join("|"), "giu");
  return {
    has: (text) => text.search(pattern) !== -1,
    redact: (text) => text.replace(pattern, erasedText),
  };
}

/** A character, or its percent-encoding. */
function toPattern(character: string): string {
  if (/[\da-z]/iu.test(character)) return character;
  const encoded = Buffer.from(character).toString("hex").replace(/../gu, "%$&");
  return `(?:${escape(character)}|${encoded})`;
}

function escape(text: string): string {
  return text.replace(/[$()*+./?[\\\]^{|}]/gu, String.raw`\$&`);
}

/** Whether a record is about the person, if it mentions the address: its customer, or a field of a record without a customer. */
export function isRecordOf(email: string, kind: string, json: string): boolean {
  const data: unknown = JSON.parse(json);
  const customer = kind === "subscribers" ? data : fieldOf(data, "customer");
  const address = fieldOf(customer, "email");
  return typeof address === "string" ? normaliseEmail(address) === email : hasText(data, email);
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Whether some text within a value is the address. Bodies nest only a few levels deep. */
function hasText(value: unknown, email: string): boolean {
  if (typeof value === "string") return normaliseEmail(value) === email;
  return (
    typeof value === "object" && value !== null && Object.values(value).some((each) => hasText(each, email))
  );
}
