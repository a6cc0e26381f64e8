/**
 * How a text stands in the database: its bare UTF-8; or, where it expires, the byte FF, which no UTF-8 holds, eight bytes of
 * the expiry (ms since the epoch, a little-endian double), and the UTF-8.
 */
export const expiryMark = 0xff;
export const expiryHeaderBytes = 9;

/** Reads an expiry; `undefined` where there is none. */
export function storedExpiry(bytes: Uint8Array): number | undefined {
  if (bytes.length < expiryHeaderBytes || bytes[0] !== expiryMark) return undefined;
  return new DataView(bytes.buffer, bytes.byteOffset).getFloat64(1, true);
}
