import { SignatureError } from "./signature-error.ts";
import type { RawBody } from "./verify-options.ts";

/** Returns the bytes of a raw body. Does not copy bytes. */
export function toBytes(body: string): Uint8Array<ArrayBuffer>;
export function toBytes(body: RawBody): Uint8Array;
export function toBytes(body: RawBody): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  // Not `instanceof`, because the buffer may be of another realm (jsdom, node:vm).
  if (body?.[Symbol.toStringTag] === "ArrayBuffer") return new Uint8Array(body);
  throw new SignatureError("body_not_raw", "body is parsed or missing: pass the raw body");
}
