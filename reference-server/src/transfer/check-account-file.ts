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
  /** They were encrypted with the server secret of the storage that it goes into. */
  readonly hasSigningSecrets: boolean;
}

/**
 * Reads a file to its end before anything of it is written: that it is whole, that every row is the account's, that nothing
 * in the storage stands in its way, and that its secrets can be read there.
 *
 * @param options.secretCheck of the server secret that goes with the storage; undefined where none is known
 * @throws {ServerError} `transfer_refused`, naming the line
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
      `the file ends after line ${number}, before its last line: it is torn. Export the account again. Nothing was imported.`,
    );
  }
  if (end.rows !== number - 2 || sha256.digest("hex") !== end.sha256) {
    throw refuseLine(number, "does not agree with what is before it: lines were lost or changed");
  }
  return { header, hasSigningSecrets, ...end };
}

/** Two sites of one id, or a key that leads elsewhere, would take something from another account. */
async function checkRow(options: {
  readonly store: Store;
  readonly accountId: string;
  readonly row: AccountRowEntry;
  readonly number: number;
}): Promise<void> {
  const { store, accountId, row, number } = options;
  if (!belongsTo(accountId, row)) throw refuseLine(number, `is no row of ${accountId}`);
  await checkSignIn(options);
  if (row.key[2] === accountId) return;
  const stored = await store.get(row.key);
  if (stored === undefined || stored === row.value) return;
  throw refuseLine(number, `has an id that belongs to another account here (${row.key.slice(1).join(" ")})`);
}

/** An address has at most eight accounts that can sign in with it. */
async function checkSignIn({ store, accountId, row, number }: Parameters<typeof checkRow>[0]): Promise<void> {
  const [, kind, email] = row.key;
  if (kind !== "account-of-email" || typeof email !== "string") return;
  if (await hasRoomForSignIn({ store, email, accountId, now: Date.now() })) return;
  throw refuseLine(
    number,
    `has the address ${email}, with which eight accounts of this storage sign in already. Change the address of one of them, or of ${accountId} before you export it`,
  );
}

function belongsTo(accountId: string, row: AccountRowEntry): boolean {
  try {
    return isRowOfAccount(accountId, row);
  } catch {
    // A value that should be JSON and is not.
    return false;
  }
}

function otherSecret(secretCheck: string | undefined): ServerError {
  const what = secretCheck === undefined ? "no server secret is known" : "another server secret is set";
  return new ServerError(
    "transfer_refused",
    `the file holds signing secrets that are encrypted with the server secret of the storage they come from, and ${what} for this storage. Set HOOKWRIGHT_SECRET to the secret of that storage, here and for the servers of this storage (in a data directory it is the file \`secret\`). Nothing was imported.`,
  );
}
