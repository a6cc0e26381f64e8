import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { CursorError } from "./cursor-error.ts";

/** Where a page ended: the sort key of its last row. Numbers are finite. */
export type Position = readonly (string | number)[];

export interface CursorCodec {
  /**
   * A cursor for a position. The same scope and position always give the same text.
   *
   * @throws CursorError `invalid_position` for a number that is not finite, `position_too_long` for a cursor over 1,024
   * characters
   */
  encode(input: { readonly scope: readonly string[]; readonly position: Position }): string;
  /** The position in a cursor; undefined for anything that `encode` did not make for this very scope. Never throws. */
  decode(input: { readonly scope: readonly string[]; readonly cursor: string }): Position | undefined;
}

export interface CursorCodecOptions {
  /** At least 32 random bytes, or a text made from as many. Cursors of another secret are refused. */
  readonly secret: string | Uint8Array;
}

const maximumCursorLength = 1_024;
const tagBytes = 16;
const canonicalText = /^[A-Za-z0-9_-]+$/;

/**
 * Makes and reads cursors that clients can neither read nor change.
 *
 * A cursor is base64url of `tag ‖ ciphertext`. The tag is HMAC-SHA256 over scope and position, cut to 128 bits, and is
 * also the initial counter block of AES-256-CTR: the synthetic IV of RFC 5297. So no nonce has to be kept or drawn, and
 * a repeated position reveals nothing but that it is repeated. AES-GCM was rejected for its random nonce, which would
 * make a second source of randomness and a different text for each request of the same page.
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
    throw new CursorError("empty_secret", "Give a secret of at least 32 random bytes.");
  // The purpose in the key keeps cursors apart from whatever else is made from the same secret, and holds the version
  // of this format: a later one derives other keys, so that every byte of a cursor is under the tag.
  const tagKey = deriveKey(secret, "hookwright cursor v1 tag");
  const cipherKey = deriveKey(secret, "hookwright cursor v1 cipher");

  // JSON text holds no raw line feed and escapes lone surrogates, so no two pairs of scope and position share an input.
  const tagOf = (scope: readonly string[], plaintext: Uint8Array): Buffer =>
    createHmac("sha256", tagKey)
      .update(`${JSON.stringify(scope)}\n`)
      .update(plaintext)
      .digest()
      .subarray(0, tagBytes);

  return {
    encode({ scope, position }) {
      if (!isPosition(position)) {
        throw new CursorError("invalid_position", "A position holds strings and finite numbers only.");
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
      // Nothing is parsed before the tag has been compared.
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
 * The bytes of canonical base64url. Decoders skip foreign characters, padding and left-over bits; refusing all but the
 * one spelling leaves a client no way to make two cursors of one.
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
