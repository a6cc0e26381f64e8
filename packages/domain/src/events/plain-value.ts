import { isSentEmpty } from "../sent-empty.ts";
import { adjust, refuse } from "./field.ts";
import type { Reading } from "./field.ts";

/** Text, or a number that is converted to text. */
export type TextInput = string | number | bigint;

/** Returns the JSON value of a library object, such as a `Date` or a decimal. */
export function toPlain(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("toJSON" in value)) return value;
  return typeof value.toJSON === "function" ? value.toJSON() : value;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the entries of a list. PHP writes a list with gaps in its keys as an object. */
export function toEntries(value: unknown): readonly unknown[] {
  const plain = toPlain(value);
  if (Array.isArray(plain)) return Array.from<unknown>(plain);
  if (isRecord(plain)) return Object.values(plain);
  return isSentEmpty(plain) || typeof plain === "boolean" ? [] : [plain];
}

/** Returns `undefined` if the value is empty or invalid. */
export function readText(value: unknown, path: string, reading: Reading): string | undefined {
  const plain = typeof value === "string" ? value : toPlain(value);
  if (isSentEmpty(plain)) return undefined;
  if (typeof plain === "string") {
    reading.characters += plain.length;
    if (plain.isWellFormed()) {
      if (plain !== value) adjust(reading, path);
      return plain;
    }
    adjust(reading, path);
    return plain.toWellFormed();
  }
  adjust(reading, path);
  if (typeof plain === "bigint" || typeof plain === "boolean") {
    const text = String(plain);
    reading.characters += text.length;
    return text;
  }
  if (typeof plain !== "number" || !Number.isFinite(plain))
    return refuse(reading, path, "must be text", undefined);
  if (Number.isInteger(plain) && !Number.isSafeInteger(plain))
    return refuse(
      reading,
      path,
      "must be sent as text, because a number this large has lost digits",
      undefined,
    );
  const text = String(plain + 0);
  reading.characters += text.length;
  return text;
}
