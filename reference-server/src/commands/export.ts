import { openStore } from "../open-store.ts";
import { findServerSecret, refuseOtherSecret } from "../server-secret.ts";
import { describeStorage } from "../storage-location.ts";
import { exportAccount } from "../transfer/export-account.ts";
import { createProgress, formatCount } from "../transfer/progress.ts";
import { readAccountStatus } from "../transfer/read-account-status.ts";
import { createSecretCheck } from "../transfer/secret-check.ts";
import { readPath } from "./read-path.ts";
import {
  createToolLogger,
  readSecret,
  readSharedStorage,
  readTlsFilePaths,
  refuseIncomplete,
  refuseMissingStore,
  storageOption,
} from "./shared-storage.ts";
import type { ServerCommand } from "./server-command.ts";
import { writeComplete } from "./write-complete.ts";

/** `hookwright export` writes all data of one account. */
export const exportCommand: ServerCommand = {
  options: [
    storageOption,
    { flag: "account", value: "ID", description: "The account to export" },
    {
      flag: "to",
      value: "FILE",
      description: "The new file. It must not exist. Default: standard output (-)",
    },
  ],
  notes: [
    "Suspend the account first. If the account changes during the export, the export fails. After the import, leave the account suspended here and set it to active there. Otherwise both servers deliver.",
    "Signing secrets stay encrypted with the server secret, so the target storage needs the same HOOKWRIGHT_SECRET. All other data in the file is not encrypted, including personal data.",
  ],
  async run(given, program) {
    const storage = readSharedStorage(given, program.environment);
    const tlsFiles = readTlsFilePaths(storage, program.environment);
    const { account } = given;
    if (account === undefined)
      throw refuseIncomplete(storage, ["--account is missing: name the account to export."]);
    const to = readPath("to", given["to"] ?? "-");
    refuseMissingStore(storage);
    const logger = createToolLogger(program);
    const secretOptions = { storage, given: readSecret(program.environment), logger };
    const secret = await findServerSecret(secretOptions);
    const progress = createProgress(program);
    // This only reads, so a storage that may lose data needs no warning.
    await using store = await openStore(storage, { tlsFiles, onWarning: () => {} });
    await refuseOtherSecret(secret, { ...secretOptions, store });
    const rows = await writeComplete(to, program, (write) =>
      exportAccount({
        store,
        header: {
          accountId: account,
          exportedAt: Date.now(),
          secretCheck: secret === undefined ? null : createSecretCheck(secret),
        },
        write,
        onProgress: (done, of) =>
          progress.report(() => `exported ${formatCount(done)} of ${formatCount(of)} rows`),
      }),
    );
    const target = to === "-" ? "standard output" : to;
    program.complain(
      `exported ${account}: ${formatCount(rows)} rows, ${describeStorage(storage)} → ${target}`,
    );
    if ((await readAccountStatus(store, account)) === "active") {
      program.complain(
        `warning: ${account} is active, so both servers deliver after the import. Suspend it here (PUT /host/v1/accounts/${account} with {"status":"suspended"}) and export it again.`,
      );
    }
  },
};
