import type { Key } from "../port.ts";

/** A notification between processes: `<sender>` or `<sender> <keys as JSON>`. */
export interface NotificationMessage {
  /** The process that committed. Without spaces. */
  readonly sender: string;
  /** `undefined`: notifications may have been lost. */
  readonly keys: readonly Key[] | undefined;
}

/** A longer message has no keys. */
export const maxMessageCharacters = 65_536;

export function writeNotificationMessage({ sender, keys }: NotificationMessage): string {
  if (keys === undefined) return sender;
  const message = `${sender} ${JSON.stringify(keys)}`;
  return message.length > maxMessageCharacters ? sender : message;
}

/** A message whose keys cannot be read may be of a later version. It has no keys then. */
export function readNotificationMessage(message: string): NotificationMessage {
  const space = message.indexOf(" ");
  if (space === -1) return { sender: message, keys: undefined };
  return { sender: message.slice(0, space), keys: parseKeys(message.slice(space + 1)) };
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
