import { StorageError } from "../storage-error.ts";

/** 16 MiB of UTF-8. */
export const maximumValueBytes = 16 * 1024 * 1024;

/**
 * Refuses what cannot be kept as UTF-8, or is too long. NUL is an ordinary character; half of a surrogate pair would be
 * replaced silently by an encoder, and so come back as another text.
 *
 * @throws {StorageError} `invalid_value`, `value_too_large`
 */
export function checkText(text: unknown): asserts text is string {
  if (typeof text !== "string") {
    throw new StorageError("invalid_value", `A value is a string, not ${typeof text}: serialise it first.`);
  }
  if (!text.isWellFormed()) {
    throw new StorageError(
      "invalid_value",
      "The value holds half of a surrogate pair, which UTF-8 cannot carry: pass it through toWellFormed(), or serialise it with JSON.stringify.",
    );
  }
  // No character takes more than three bytes for each of its UTF-16 units.
  if (text.length * 3 > maximumValueBytes && utf8Length(text) > maximumValueBytes) {
    throw new StorageError(
      "value_too_large",
      `The value takes more than ${maximumValueBytes} bytes: split it over several keys.`,
    );
  }
}

/** Bytes of a well-formed string in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}
