/**
 * The format of a stored text: plain UTF-8. If it expires, this precedes it: the byte FF, which never occurs
 * in UTF-8, and the expiry (ms since the epoch, f64, little-endian).
 */
export const expiryMark = 0xff;
export const expiryHeaderBytes = 9;

/** Returns the expiry of a stored text, or `undefined` if it has none. */
export function storedExpiry(bytes: Uint8Array): number | undefined {
  if (bytes.length < expiryHeaderBytes || bytes[0] !== expiryMark) return undefined;
  return new DataView(bytes.buffer, bytes.byteOffset).getFloat64(1, true);
}
