import { normaliseEmail } from "@hookwright/domain";

/** What is in the place of an address that was erased. */
export const erasedText = "[erased]";

/** What is a part of the address if it precedes it. */
const localPart = String.raw`[\p{L}\p{N}._+-]`;

/** Finds a person in stored texts. */
export interface Mentions {
  has(text: string): boolean;
  /** Replaces the address and the ids. The text stays JSON. */
  redact(text: string): string;
  /** What precedes the address in an id of which it is only a part: `sub_` in `sub_anna@example.com`. Letters belong to another address. */
  findPrefix(id: string): string | undefined;
}

/**
 * Finds an address in any case, also percent-encoded, and ids. An address that only ends or begins with it is another one, such as
 * `joanna@example.com` for `anna@example.com`.
 *
 * @param prefixes what may precede the address nevertheless, because an id of the person has it so. @default nothing
 */
export function createMentions(
  email: string,
  ids: readonly string[],
  prefixes: readonly string[] = [],
): Mentions {
  const address = Array.from(email, toPattern).join("");
  // In JSON text, a letter before the address may belong to an escape, such as the n of a line break.
  const before = [String.raw`\\[bfnrt]`, String.raw`\\u[\da-f]{4}`, "%[\\da-f]{2}", ...prefixes.map(escape)];
  const start = `(?:(?<=${before.join("|")})|(?<!${localPart}))`;
  const end = String.raw`(?![\p{L}\p{N}]|[\p{L}\p{N}-]*\.[\p{L}\p{N}])`;
  const pattern = new RegExp([`${start}${address}${end}`, ...ids.map(escape)].join("|"), "giu");
  const prefixed = new RegExp(`(${localPart}*[._+-])${address}${end}`, "iu");
  return {
    has: (text) => text.search(pattern) !== -1,
    redact: (text) => text.replace(pattern, erasedText),
    findPrefix: (id) => prefixed.exec(id)?.[1],
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
