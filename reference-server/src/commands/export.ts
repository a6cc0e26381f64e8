import { createLogger } from "../logger.ts";
import { openStore } from "../open-store.ts";
import type { Program } from "../program.ts";
import { findServerSecret, refuseOtherSecret } from "../server-secret.ts";
import { describeStorage } from "../storage-location.ts";
import { exportAccount } from "../transfer/export-account.ts";
import { createProgress, formatCount } from "../transfer/progress.ts";
import { readAccountStatus } from "../transfer/read-account-status.ts";
import { createSecretCheck } from "../transfer/secret-check.ts";
import { readPath } from "./read-path.ts";
import {
  readSecret,
  readSharedStorage,
  readTlsFilePaths,
  refuseIncomplete,
  refuseMissingDirectory,
  storageOption,
} from "./shared-storage.ts";
import { createToolCommand } from "./tool-command.ts";
import { writeWhole } from "./write-whole.ts";

/** `hookwright export`: writes one account with everything it has. */
export function createExportCommand(program: Program) {
  return createToolCommand({
    name: "export",
    description: "Write one account with everything it has, as lines of JSON",
    options: [
      storageOption,
      { flag: "account", value: "ID", description: "Which account" },
      {
        flag: "to",
        value: "FILE",
        description: "A file that does not exist yet; by default standard output, which - names too",
      },
    ],
    notes: [
      "Suspend the account first, so that nothing changes meanwhile; an export during which something did is refused. Leave it suspended here afterwards, and set it to active where it was imported: else both places deliver.",
      "Signing secrets stay sealed by the server secret: the storage that the file is imported into needs the same HOOKWRIGHT_SECRET. The file holds personal data in the clear.",
    ],
    async run(given) {
      const storage = readSharedStorage(given, program.environment);
      const tlsFiles = readTlsFilePaths(storage, program.environment);
      const { account } = given;
      if (account === undefined)
        throw refuseIncomplete(storage, ["--account is missing: say which account to export."]);
      const to = readPath("to", given["to"] ?? "-");
      refuseMissingDirectory(storage);
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
      // What is only read cannot be lost here.
      await using store = await openStore(storage, { tlsFiles, onWarning: () => {} });
      await refuseOtherSecret(secret, { ...secretOptions, store });
      const rows = await writeWhole(to, program, (write) =>
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
          `warning: ${account} is active, and so is its copy as soon as it is imported: both would deliver. Suspend it here (PUT /host/v1/accounts/${account} with {"status":"suspended"}) and export it again.`,
        );
      }
    },
  });
}
