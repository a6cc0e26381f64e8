import type { Key } from "../port.ts";

/** What processes tell each other over Redis: `<sender>`, or `<sender> <keys as JSON>`. */
export interface WakeMessage {
  readonly sender: string;
  /** Nothing: anything in the partition may be new. */
  readonly beneath: readonly Key[] | undefined;
}

/** Redis sends it to every process that watches: no more is said than helps. */
const mostCharacters = 8_192;

export function writeWakeMessage({ sender, beneath }: WakeMessage): string {
  if (beneath === undefined || beneath.length === 0) return sender;
  const message = `${sender} ${JSON.stringify(beneath)}`;
  return message.length > mostCharacters ? sender : message;
}

/** What is told in a way that this version does not know says that anything may be new. */
export function readWakeMessage(message: string): WakeMessage {
  const space = message.indexOf(" ");
  if (space === -1) return { sender: message, beneath: undefined };
  return { sender: message.slice(0, space), beneath: parseKeys(message.slice(space + 1)) };
}

function parseKeys(json: string): readonly Key[] | undefined {
  try {
    const keys: unknown = JSON.parse(json);
    return Array.isArray(keys) && keys.length > 0 && keys.every(isKey) ? keys : undefined;
  } catch {
    return undefined;
  }
}

function isKey(value: unknown): value is Key {
  return (
    Array.isArray(value) &&
    typeof value[0] === "string" &&
    value.every((part) => typeof part === "string" || Number.isSafeInteger(part))
  );
}
