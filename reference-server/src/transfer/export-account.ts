import { createHash } from "node:crypto";
import { accountImportKey, readAccountRows } from "hookwright";
import { partitionOf } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { ServerError } from "../server-error.ts";
import { renderEnd, renderHeader, renderRow } from "./account-file.ts";
import type { AccountFileHeader } from "./account-file.ts";

const chunkLength = 64 * 1024;

/**
 * Writes all rows of an account. It reads the rows twice and compares them. Only if nothing changed, the rows are
 * consistent and the last line is written, which an import requires.
 *
 * @param options.write writes a piece of text, and resolves when the next may follow
 * @param options.onProgress the number of rows so far and in total
 * @returns the number of rows
 * @throws {ServerError} `transfer_refused`
 */
export async function exportAccount(options: {
  readonly store: Store;
  readonly header: AccountFileHeader;
  readonly write: (text: string) => Promise<void>;
  readonly onProgress?: (rows: number, of: number) => void;
}): Promise<number> {
  const { store, header, write, onProgress = () => {} } = options;
  const { accountId } = header;
  if ((await store.get([partitionOf(accountId), "account", accountId])) === undefined)
    throw new ServerError(
      "transfer_refused",
      `the account ${JSON.stringify(accountId)} does not exist in this storage.`,
    );
  if ((await store.get(accountImportKey(accountId))) !== undefined) {
    throw new ServerError(
      "transfer_refused",
      `the import of ${accountId} into this storage is not complete. Import the same file again to complete it.`,
    );
  }
  const first = renderHeader(header);
  const before = createHash("sha256").update(first);
  let expected = 0;
  for await (const row of readAccountRows({ store, accountId })) {
    before.update(renderRow(row));
    expected += 1;
  }

  const sha256 = createHash("sha256").update(first);
  let rows = 0;
  let text = first;
  for await (const row of readAccountRows({ store, accountId })) {
    const line = renderRow(row);
    sha256.update(line);
    text += line;
    rows += 1;
    if (text.length < chunkLength) continue;
    await write(text);
    text = "";
    onProgress(rows, expected);
  }
  const digest = sha256.digest("hex");
  if (digest !== before.digest("hex")) {
    throw new ServerError(
      "transfer_refused",
      `${accountId} changed during the export, so the rows are not consistent. Suspend the account (status "suspended") or stop the servers, then export again.`,
    );
  }
  await write(text + renderEnd({ rows, sha256: digest }));
  onProgress(rows, expected);
  return rows;
}
