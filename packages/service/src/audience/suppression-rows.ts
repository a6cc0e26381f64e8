import { createHash } from "node:crypto";
import type { SuppressionInput } from "@hookwright/domain";
import type { Check, Mutation, Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";

type Suppression = Pick<SuppressionInput, "reason">;

/** The suppression of an address, and what writes it. Its row has a fingerprint of the address, so an erasure need not end it. */
export async function readSuppression(
  store: Store,
  email: string,
): Promise<{
  readonly stored: Suppression | undefined;
  readonly checks: readonly Check[];
  /** @param after undefined: the address is not suppressed any more */
  readonly write: (after: Suppression | undefined) => readonly Mutation[];
}> {
  const key = keys.suppression(
    email,
    createHash("sha256").update(`suppression ${email}`).digest("base64url"),
  );
  const olderKey = keys.suppressionByAddress(email);
  const [text, olderText] = await store.getMany([key, olderKey]);
  const row = text ?? olderText;
  return {
    stored: row === undefined ? undefined : JSON.parse(row),
    checks: [
      { key, value: text },
      { key: olderKey, value: olderText },
    ],
    write: (after) => [
      { type: "delete", key: olderKey },
      after === undefined
        ? { type: "delete", key }
        : { type: "set", key, value: JSON.stringify({ reason: after.reason }) },
    ],
  };
}
