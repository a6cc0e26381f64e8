import { createReadStream } from "node:fs";
import type { Store } from "@hookwright/storage";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { ServerError } from "../server-error.ts";
import { parseHeader } from "./account-file.ts";
import { checkAccountFile } from "./check-account-file.ts";
import { importAccount } from "./import-account.ts";
import { readLines } from "./read-lines.ts";

/**
 * Reads a file from `hookwright export` into a new store. Its lines, its end and its SHA-256 are checked.
 *
 * @throws {ServerError} `transfer_refused`, which names the line
 */
export async function openAccountFile(
  path: string,
  { directory }: { readonly directory: string },
): Promise<Store> {
  const store = await openFilesystemStore({ directory });
  try {
    const secretCheck = await readSecretCheck(path);
    const file = await checkAccountFile({ store, chunks: createReadStream(path), secretCheck });
    await importAccount({ store, file, chunks: createReadStream(path), now: Date.now, onProgress: () => {} });
    return store;
  } catch (error) {
    await store.close();
    if (!(error instanceof ServerError)) throw error;
    throw new ServerError(error.code, `${path}: ${error.message.replace(" Nothing was imported.", "")}`, {
      cause: error,
    });
  }
}

/** The secrets are decrypted later, so the check value of the file is accepted. */
async function readSecretCheck(path: string): Promise<string | undefined> {
  for await (const line of readLines(createReadStream(path)))
    return parseHeader(line).secretCheck ?? undefined;
  return undefined;
}
