import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { CursorError } from "./cursor-error.ts";

/** The position of a page's last row: its sort key. Numbers are finite. */
export type Position = readonly (string | number)[];

export interface CursorCodec {
  /**
   * Encodes a position. The same scope and position always give the same text.
   *
   * @throws CursorError `invalid_position` for a number that is not finite, `position_too_long` for a cursor
   *   over 1,024 characters
   */
  encode(input: { readonly scope: readonly string[]; readonly position: Position }): string;
  /** Decodes a cursor. Returns `undefined` if `encode` did not create it for this scope. Never throws. */
  decode(input: { readonly scope: readonly string[]; readonly cursor: string }): Position | undefined;
}

export interface CursorCodecOptions {
  /** At least 32 random bytes, or a text with as much entropy. Cursors of another secret are rejected. */
  readonly secret: string | Uint8Array;
}

const maximumCursorLength = 1_024;
const tagBytes = 16;
const canonicalText = /^[A-Za-z0-9_-]+$/;

/**
 * Creates a codec for cursors that clients can neither read nor change.
 *
 * A cursor is base64url of `tag ‖ ciphertext`. The tag is HMAC-SHA256 over scope and position, truncated to
 * 128 bits. It is also the initial counter block of AES-256-CTR: the synthetic IV of RFC 5297. So no nonce is
 * needed, and cursors are deterministic. AES-GCM would need a random nonce.
 *
 * @example
 * const cursors = createCursorCodec({ secret });
 * const scope = ["acc_1", "orders", "status=paid"];
 * const cursor = cursors.encode({ scope, position: [1763630000000, "ord_1"] });
 * cursors.decode({ scope, cursor }); // [1763630000000, "ord_1"]
 *
 * @throws CursorError `empty_secret`
 */
export function createCursorCodec({ secret }: CursorCodecOptions): CursorCodec {
  if (secret.length === 0)
    throw new CursorError("empty_secret", "The secret is empty. Use at least 32 random bytes.");
  // The purpose separates cursors from other uses of the secret and contains the version of the format. A
  // later version derives other keys.
  const tagKey = deriveKey(secret, "hookwright cursor v1 tag");
  const cipherKey = deriveKey(secret, "hookwright cursor v1 cipher");

  // JSON contains no raw line feed and escapes lone surrogates, so each pair of scope and position has a
  // unique input.
  const tagOf = (scope: readonly string[], plaintext: Uint8Array): Buffer =>
    createHmac("sha256", tagKey)
      .update(`${JSON.stringify(scope)}\n`)
      .update(plaintext)
      .digest()
      .subarray(0, tagBytes);

  return {
    encode({ scope, position }) {
      if (!isPosition(position)) {
        throw new CursorError("invalid_position", "A position may contain only strings and finite numbers.");
      }
      const plaintext = Buffer.from(JSON.stringify(position));
      const tag = tagOf(scope, plaintext);
      const cipher = createCipheriv("aes-256-ctr", cipherKey, tag);
      const cursor = Buffer.concat([tag, cipher.update(plaintext), cipher.final()]).toString("base64url");
      if (cursor.length > maximumCursorLength) {
        throw new CursorError("position_too_long", `A cursor has at most ${maximumCursorLength} characters.`);
      }
      return cursor;
    },

    decode({ scope, cursor }) {
      const bytes = toBytes(cursor);
      if (bytes === undefined) return undefined;
      const tag = bytes.subarray(0, tagBytes);
      const decipher = createDecipheriv("aes-256-ctr", cipherKey, tag);
      const plaintext = Buffer.concat([decipher.update(bytes.subarray(tagBytes)), decipher.final()]);
      // Nothing is parsed before the tag is verified.
      if (!timingSafeEqual(tag, tagOf(scope, plaintext))) return undefined;
      const position: unknown = JSON.parse(plaintext.toString());
      return isPosition(position) ? position : undefined;
    },
  };
}

function deriveKey(secret: string | Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", purpose, 32));
}

/**
 * Decodes canonical base64url. Decoders ignore foreign characters, padding and left-over bits, so a client
 * could otherwise create several spellings of a cursor.
 */
function toBytes(cursor: unknown): Buffer | undefined {
  if (typeof cursor !== "string" || cursor.length > maximumCursorLength || !canonicalText.test(cursor))
    return undefined;
  const bytes = Buffer.from(cursor, "base64url");
  return bytes.length > tagBytes && bytes.toString("base64url") === cursor ? bytes : undefined;
}

function isPosition(value: unknown): value is Position {
  return Array.isArray(value) && value.every((part) => typeof part === "string" || Number.isFinite(part));
}
