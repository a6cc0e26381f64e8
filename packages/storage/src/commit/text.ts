import { StorageError } from "../storage-error.ts";

/** 16 MiB of UTF-8. */
export const maximumValueBytes = 16 * 1024 * 1024;

/**
 * Rejects texts that are too long or cannot be encoded as UTF-8. An encoder would silently replace half of a
 * surrogate pair.
 *
 * @throws {StorageError} `invalid_value`, `value_too_large`
 */
export function checkText(text: unknown): asserts text is string {
  if (typeof text !== "string") {
    throw new StorageError(
      "invalid_value",
      `A value must be a string, not ${typeof text}. Serialise it first.`,
    );
  }
  if (!text.isWellFormed()) {
    throw new StorageError(
      "invalid_value",
      "The value contains half of a surrogate pair, which UTF-8 cannot encode. Pass it through toWellFormed(), or serialise it with JSON.stringify.",
    );
  }
  // A UTF-16 unit takes at most three bytes of UTF-8.
  if (text.length * 3 > maximumValueBytes && utf8Length(text) > maximumValueBytes) {
    throw new StorageError(
      "value_too_large",
      `The value takes more than ${maximumValueBytes} bytes. Split it into several keys.`,
    );
  }
}

/** Returns the number of UTF-8 bytes of a well-formed string. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}
