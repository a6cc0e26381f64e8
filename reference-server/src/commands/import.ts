import { createReadStream } from "node:fs";
import { mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { createLogger } from "../logger.ts";
import { createServerLog } from "../server-log-lines.ts";
import { openStore } from "../open-store.ts";
import type { Program } from "../program.ts";
import { ServerError } from "../server-error.ts";
import { bindSecret, findServerSecret, refuseOtherSecret } from "../server-secret.ts";
import { describeStorage } from "../storage-location.ts";
import { checkAccountFile } from "../transfer/check-account-file.ts";
import { importAccount } from "../transfer/import-account.ts";
import { createProgress, formatCount } from "../transfer/progress.ts";
import { readAccountStatus } from "../transfer/read-account-status.ts";
import { createSecretCheck } from "../transfer/secret-check.ts";
import { readPath } from "./read-path.ts";
import { isSystemError } from "./is-system-error.ts";
import { removeWhenStopped } from "./remove-when-stopped.ts";
import {
  isMissingDirectory,
  readSecret,
  readSharedStorage,
  readTlsFilePaths,
  storageOption,
} from "./shared-storage.ts";
import { createToolCommand } from "./tool-command.ts";

/** `hookwright import`: reads what `hookwright export` has written into another storage. */
export function createImportCommand(program: Program) {
  return createToolCommand({
    name: "import",
    description: "Write what `hookwright export` gave into another storage",
    options: [
      storageOption,
      {
        flag: "from",
        value: "FILE",
        description: "What was exported; by default standard input, which - names too",
      },
    ],
    notes: [
      "The whole file is read and checked before anything is written. An account that is there already is never touched; an import that was interrupted goes on when the same file is imported again.",
      "Signing secrets are sealed by the server secret of the storage they come from: set the same HOOKWRIGHT_SECRET here, or put the file `secret` into the data directory first.",
    ],
    async run(given) {
      const storage = readSharedStorage(given, program.environment);
      const tlsFiles = readTlsFilePaths(storage, program.environment);
      const from = readPath("from", given["from"] ?? "-");
      const logger = createLogger({
        form: "pretty",
        colours: false,
        write: program.complain,
        now: Date.now,
        secrets: [],
      });
      const secretOptions = { storage, given: readSecret(program.environment), logger };
      const secret = await findServerSecret(secretOptions);
      const progress = createProgress({ complain: program.complain, now: () => performance.now() });
      const secretCheck = secret === undefined ? undefined : createSecretCheck(secret);
      await withFile(from, program, async (path) => {
        const check = (store: Store) =>
          checkAccountFile({ store, chunks: createReadStream(path), secretCheck });
        // Opening a directory makes it: first see that there will be something to put in.
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
        const resumed =
          resumedAt === 0 ? "" : ` (an earlier import had come to row ${formatCount(resumedAt)})`;
        const source = from === "-" ? "standard input" : from;
        program.complain(
          `imported ${accountId}: ${formatCount(file.rows)} rows, ${source} → ${describeStorage(storage)}${resumed}`,
        );
        program.complain(describeNext(accountId, await readAccountStatus(store, accountId)));
      });
    },
  });
}

/** One of the two places has to rest: both have the webhooks, and the deliveries that wait. */
function describeNext(accountId: string, status: string | undefined): string {
  if (status === undefined)
    return `${accountId} is not an account here: the file has none, or it was removed meanwhile.`;
  return status === "active"
    ? `${accountId} is active here, so servers of this storage deliver for it: see that it is suspended where it came from.`
    : `${accountId} is suspended here: leave it suspended where it came from, and set it to active (PUT /host/v1/accounts/${accountId} with {"status":"active"}).`;
}

/** A file is read twice; what comes from standard input is put into one first, for its owner alone. */
async function withFile(from: string, program: Program, use: (path: string) => Promise<void>): Promise<void> {
  if (from !== "-") {
    const found = await stat(from).catch(() => undefined);
    if (found?.isFile() !== true)
      throw new ServerError("transfer_refused", `--from ${from} is no file that can be read.`);
    return use(from);
  }
  const directory = await mkdtemp(join(tmpdir(), "hookwright-import-")).catch(refuseInput);
  removeWhenStopped(program, directory);
  try {
    const path = join(directory, "account.ndjson");
    await keepInput(program, path).catch(refuseInput);
    await use(path);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function keepInput(program: Program, path: string): Promise<void> {
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
    `standard input cannot be kept in ${tmpdir()} (${cause.message}): name the file with --from, or set TMPDIR to a directory with room for it. Nothing was imported.`,
    { cause },
  );
}
