import { createReadStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { createServerLog } from "../server-log-lines.ts";
import { openStore } from "../open-store.ts";
import type { Program } from "@hookwright/cli";
import { ServerError } from "../server-error.ts";
import { bindSecret, findServerSecret, refuseOtherSecret } from "../server-secret.ts";
import { describeStorage, isMissingDirectory } from "../storage-location.ts";
import { checkAccountFile } from "../transfer/check-account-file.ts";
import { importAccount } from "../transfer/import-account.ts";
import { createProgress, formatCount } from "../transfer/progress.ts";
import { readAccountStatus } from "../transfer/read-account-status.ts";
import { createSecretCheck } from "../transfer/secret-check.ts";
import { expectFile, readPath } from "./read-path.ts";
import { removeWhenStopped } from "./remove-when-stopped.ts";
import {
  createToolLogger,
  readSecret,
  readSharedStorage,
  readTlsFilePaths,
  storageOption,
} from "./shared-storage.ts";
import type { ServerCommand } from "./server-command.ts";
import { isSystemError } from "./write-complete.ts";

/** `hookwright import` writes the data of `hookwright export` to another storage. */
export const importCommand: ServerCommand = {
  options: [
    storageOption,
    {
      flag: "from",
      value: "FILE",
      description: "The exported file. Default: standard input (-)",
    },
  ],
  notes: [
    "The whole file is checked before anything is written. An existing account is never changed. If an import was interrupted, import the same file again to continue it.",
    "Signing secrets are encrypted with the server secret of the source. Set the same HOOKWRIGHT_SECRET here, or copy the file `secret` into the data directory first.",
  ],
  async run(given, program) {
    const storage = readSharedStorage(given, program.environment);
    const tlsFiles = readTlsFilePaths(storage, program.environment);
    const from = readPath("from", given["from"] ?? "-");
    const logger = createToolLogger(program);
    const secretOptions = { storage, given: readSecret(program.environment), logger };
    const secret = await findServerSecret(secretOptions);
    const progress = createProgress(program);
    const secretCheck = secret === undefined ? undefined : createSecretCheck(secret);
    await withFile(from, program, async (path) => {
      const check = (store: Store) =>
        checkAccountFile({ store, chunks: createReadStream(path), secretCheck });
      // Opening a directory creates it, so the file is checked first.
      if (isMissingDirectory(storage)) await check(memoryStore());
      await using store = await openStore(storage, {
        tlsFiles,
        onWarning: (warning) => createServerLog(logger)("storage_may_forget", {}, warning),
      });
      await refuseOtherSecret(secret, { ...secretOptions, store });
      const file = await check(store);
      const { accountId } = file.header;
      if (secret !== undefined && file.hasSigningSecrets)
        await bindSecret(secret, { ...secretOptions, store });
      const { resumedAt } = await importAccount({
        store,
        file,
        chunks: createReadStream(path),
        now: Date.now,
        onProgress: (done, of) =>
          progress.report(() => `imported ${formatCount(done)} of ${formatCount(of)} rows`),
      });
      const resumed = resumedAt === 0 ? "" : ` (continued from row ${formatCount(resumedAt)})`;
      const source = from === "-" ? "standard input" : from;
      program.complain(
        `imported ${accountId}: ${formatCount(file.rows)} rows, ${source} → ${describeStorage(storage)}${resumed}`,
      );
      program.complain(describeNextStep(accountId, await readAccountStatus(store, accountId)));
    });
  },
};

/** Only one of the two servers may deliver, because both have the webhooks and the pending deliveries. */
function describeNextStep(accountId: string, status: string | undefined): string {
  if (status === undefined)
    return `${accountId} is not an account here: the file does not contain it, or it was removed meanwhile.`;
  return status === "active"
    ? `${accountId} is active here, so this storage's servers deliver for it. Make sure that it is suspended at the source.`
    : `${accountId} is suspended here. Leave it suspended at the source, and set it to active here (PUT /host/v1/accounts/${accountId} with {"status":"active"}).`;
}

/** The file is read twice, so standard input is first stored in a temporary file that only its owner can read. */
async function withFile(from: string, program: Program, use: (path: string) => Promise<void>): Promise<void> {
  if (from !== "-") {
    await expectFile("from", from);
    return use(from);
  }
  const directory = await mkdtemp(join(tmpdir(), "hookwright-import-")).catch(refuseInput);
  removeWhenStopped(program, directory);
  try {
    const path = join(directory, "account.ndjson");
    await storeInput(program, path).catch(refuseInput);
    await use(path);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function storeInput(program: Program, path: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    for await (const chunk of program.read()) await file.writeFile(chunk);
  } finally {
    await file.close();
  }
}

function refuseInput(cause: unknown): never {
  if (!isSystemError(cause)) throw cause;
  throw new ServerError(
    "transfer_refused",
    `standard input cannot be stored in ${tmpdir()} (${cause.message}). Pass the file with --from, or set TMPDIR to a directory with enough space. Nothing was imported.`,
    { cause },
  );
}
