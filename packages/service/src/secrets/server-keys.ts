import { createHmac, hkdfSync } from "node:crypto";
import { createCursorCodec } from "@hookwright/cursor";
import type { CursorCodec } from "@hookwright/cursor";
import { DeliveryError } from "@hookwright/delivery";
import type { Clock } from "@hookwright/delivery";
import type { Store } from "@hookwright/storage";
import { refreshRegularly } from "../refresh-regularly.ts";
import { createSecretBox, keyIdOf, toKeyId } from "./secret-box.ts";
import type { SecretBox } from "./secret-box.ts";
import { checkRowKey, parseCheckRow } from "./server-secret-match.ts";
import type { ServerSecretOptions } from "./server-secret-match.ts";

/** Everything that is derived from the server secrets. */
export interface ServerKeys {
  /** Decrypts with every known secret. */
  readonly box: Pick<SecretBox, "open">;
  /** Decodes cursors of every known secret. Encodes with the one that the store is written with. */
  readonly cursors: CursorCodec;
  /** The salt of all passwords of an e-mail address. Stored hashes contain theirs, so they outlive the secret. */
  readonly passwordSalt: (email: string) => Uint8Array;
  /**
   * Encrypts with the secret that the store is written with. During a rotation this costs a read.
   *
   * @throws DeliveryError `secret_unreadable` if the store has been moved to a secret that this process does not know
   */
  seal(text: string, context: string): Promise<string>;
  /** Reads which secret the store is written with. Only with previous secrets. */
  refresh(): Promise<void>;
  /** Repeats {@link refresh} until the store is written with the current secret. Returns a function that ends it. */
  follow(clock: Clock): () => void;
}

/** A new secret is used for cursors after this time. The re-encryption waits longer before its last pass. */
const refreshMs = 1_000;

/**
 * All processes write with the secret that the store names, so that those without the new secret can read everything until the rotation
 * begins.
 */
export function createServerKeys({ store, secret, previousSecrets = [] }: ServerSecretOptions): ServerKeys {
  const box = createSecretBox({ secret, previousSecrets });
  const codecs = new Map(
    [secret, ...previousSecrets].map((each) => [toKeyId(each), createCursorCodec({ secret: each })]),
  );
  const ofCurrent = createCursorCodec({ secret });
  let written = box.keyId;

  async function readWritten(): Promise<string> {
    if (previousSecrets.length === 0) return box.keyId;
    const keyId = await readKeyId(store);
    if (keyId !== undefined && !box.knows(keyId))
      throw new DeliveryError(
        "secret_unreadable",
        `the store is written with a server secret that this process does not know (key id ${keyId}): start with it`,
      );
    written = keyId ?? box.keyId;
    return written;
  }

  return {
    box,
    cursors: {
      encode: (input) => (codecs.get(written) ?? ofCurrent).encode(input),
      decode(input) {
        for (const codec of codecs.values()) {
          const position = codec.decode(input);
          if (position !== undefined) return position;
        }
        return undefined;
      },
    },
    passwordSalt: createPasswordSalt({ secret }),
    seal: async (text, context) => box.seal(text, context, await readWritten()),
    refresh: async () => void (await readWritten()),
    // Values are encrypted after a read of their own, so an error does no harm.
    follow: (clock) =>
      refreshRegularly({
        clock,
        intervalMs: refreshMs,
        refresh: readWritten,
        isNeeded: () => written !== box.keyId,
      }),
  };
}

/** The key id of the secret that the store is written with. Undefined if it is not bound to a secret. */
async function readKeyId(store: Store): Promise<string | undefined> {
  const stored = await store.get(checkRowKey);
  const row = stored === undefined ? undefined : parseCheckRow(stored);
  return row && keyIdOf(row.sealed);
}

const saltBytes = 16;

/**
 * All accounts with the same e-mail address have the same salt. A sign-in then needs one derivation, and its duration does not reveal
 * the number of accounts. Salts are derived with the server secret, so attackers cannot compute them.
 */
export function createPasswordSalt({ secret }: { readonly secret: string }): (email: string) => Uint8Array {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", "hookwright password salts v1", 32));
  return (email) => createHmac("sha256", key).update(email).digest().subarray(0, saltBytes);
}
