import type { Key } from "../port.ts";

/** What processes tell each other: `<name>`, or `<name> <keys as JSON>`. */
export interface WakeMessage {
  /** Of whoever sends it, or of what it is about: without a space. */
  readonly name: string;
  /** Nothing: anything in the partition may be new. */
  readonly beneath: readonly Key[] | undefined;
}

/** It reaches every process that watches: no more is said than helps. */
const mostCharacters = 8_192;

export function writeWakeMessage({ name, beneath }: WakeMessage): string {
  if (beneath === undefined || beneath.length === 0) return name;
  const message = `${name} ${JSON.stringify(beneath)}`;
  return message.length > mostCharacters ? name : message;
}

/** What is told in a way that this version does not know says that anything may be new. */
export function readWakeMessage(message: string): WakeMessage {
  const space = message.indexOf(" ");
  if (space === -1) return { name: message, beneath: undefined };
  return { name: message.slice(0, space), beneath: parseKeys(message.slice(space + 1)) };
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
