import { createHash } from "node:crypto";
import { hasRoomForSignIn, isRowOfAccount } from "hookwright";
import type { AccountRowEntry } from "hookwright";
import type { Store } from "@hookwright/storage";
import { ServerError } from "../server-error.ts";
import { parseHeader, parseLine, refuseLine } from "./account-file.ts";
import type { AccountFileEnd, AccountFileHeader } from "./account-file.ts";
import { readLines } from "./read-lines.ts";

export interface CheckedAccountFile extends AccountFileEnd {
  readonly header: AccountFileHeader;
  /** True if the file has secrets that are encrypted with the source's server secret. */
  readonly hasSigningSecrets: boolean;
}

/**
 * Checks the whole file before anything is written: it is complete, every row belongs to the account, nothing in the
 * storage conflicts, and the target's server secret can decrypt its secrets.
 *
 * @param options.secretCheck of the storage's server secret, undefined if none is known
 * @throws {ServerError} `transfer_refused`, which names the line
 */
export async function checkAccountFile(options: {
  readonly store: Store;
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly secretCheck: string | undefined;
}): Promise<CheckedAccountFile> {
  const { store, chunks, secretCheck } = options;
  const sha256 = createHash("sha256");
  let header: AccountFileHeader | undefined;
  let end: AccountFileEnd | undefined;
  let hasSigningSecrets = false;
  let number = 0;
  for await (const line of readLines(chunks)) {
    number += 1;
    if (end !== undefined) throw refuseLine(number, "comes after the last line");
    if (header === undefined) header = parseHeader(line);
    else {
      const parsed = parseLine(line, number);
      if (parsed.type === "end") {
        end = parsed.end;
        continue;
      }
      await checkRow({ store, accountId: header.accountId, row: parsed.row, number });
      if (parsed.row.key[1] === "signing-secret") {
        if (header.secretCheck !== secretCheck) throw otherSecret(secretCheck);
        hasSigningSecrets = true;
      }
    }
    sha256.update(`${line}\n`);
  }
  if (header === undefined)
    throw new ServerError("transfer_refused", "the file is empty. Nothing was imported.");
  if (end === undefined) {
    throw new ServerError(
      "transfer_refused",
      `the file ends after line ${number}, before its last line, so it is incomplete. Export the account again. Nothing was imported.`,
    );
  }
  if (end.rows !== number - 2 || sha256.digest("hex") !== end.sha256) {
    throw refuseLine(number, "does not match the lines before it: lines are missing or were changed");
  }
  return { header, hasSigningSecrets, ...end };
}

/** A duplicate site id, or a key outside the account, would overwrite data of another account. */
async function checkRow(options: {
  readonly store: Store;
  readonly accountId: string;
  readonly row: AccountRowEntry;
  readonly number: number;
}): Promise<void> {
  const { store, accountId, row, number } = options;
  if (!belongsTo(accountId, row)) throw refuseLine(number, `is not a row of ${accountId}`);
  await checkSignIn(options);
  if (row.key[2] === accountId) return;
  const stored = await store.get(row.key);
  if (stored === undefined || stored === row.value) return;
  throw refuseLine(number, `has an id that belongs to another account here (${row.key.slice(1).join(" ")})`);
}

/** At most eight accounts, and eight people, can sign in with one address. */
async function checkSignIn({ store, accountId, row, number }: Parameters<typeof checkRow>[0]): Promise<void> {
  const { key } = row;
  const [, kind, email] = key;
  const isPerson = kind === "person-of-email";
  if (!isPerson && kind !== "account-of-email") return;
  if (await hasRoomForSignIn({ store, key, now: Date.now() })) return;
  throw refuseLine(
    number,
    isPerson
      ? `has a person with the address ${String(email)}, which eight people of this storage already use to sign in. Remove one of them, or this person from ${accountId} before you export it`
      : `has the address ${String(email)}, which eight accounts of this storage already use to sign in. Change the address of one of them, or of ${accountId} before you export it`,
  );
}

function belongsTo(accountId: string, row: AccountRowEntry): boolean {
  try {
    return isRowOfAccount(accountId, row);
  } catch {
    // The value should be JSON but is not.
    return false;
  }
}

function otherSecret(secretCheck: string | undefined): ServerError {
  const what = secretCheck === undefined ? "no server secret is known" : "another server secret is set";
  return new ServerError(
    "transfer_refused",
    `the file has signing secrets that are encrypted with the server secret of the source, but ${what} for this storage. Set HOOKWRIGHT_SECRET to the secret of the source, here and for the servers of this storage (in a data directory it is the file \`secret\`). Nothing was imported.`,
  );
}
