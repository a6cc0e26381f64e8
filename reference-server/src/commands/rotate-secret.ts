import { rm } from "node:fs/promises";
import { join } from "node:path";
import { rotateServerSecret } from "hookwright";
import type { Logger } from "hookwright";
import { openStore } from "../open-store.ts";
import type { Program } from "@hookwright/cli";
import { previousSecretFile, replaceSecretFile, secretFile } from "../secret-file.ts";
import { ServerError } from "../server-error.ts";
import {
  findPreviousSecrets,
  findServerSecret,
  refuseOtherSecret,
  refuseUnlessSame,
} from "../server-secret.ts";
import { describeStorage } from "../storage-location.ts";
import type { StorageLocation } from "../storage-location.ts";
import { createProgress, formatCount } from "../transfer/progress.ts";
import {
  createToolLogger,
  readPreviousSecret,
  readSecret,
  readSharedStorage,
  readTlsFilePaths,
  refuseMissingStore,
  storageOption,
} from "./shared-storage.ts";
import type { ServerCommand } from "./server-command.ts";

/** `hookwright rotate-secret` encrypts everything with a new server secret while servers run. */
export const rotateSecretCommand: ServerCommand = {
  options: [storageOption],
  notes: [
    "1. Restart every server with the new secret as HOOKWRIGHT_SECRET and the old one as HOOKWRIGHT_SECRET_PREVIOUS. 2. Run this command with the same two variables. 3. Restart every server without HOOKWRIGHT_SECRET_PREVIOUS. Until then, all deliveries, cursors and passwords keep working.",
    "If the secret is the file `secret` of a data directory: 1. Run this command. It creates a new secret, and keeps the old one as `secret.previous`. 2. Restart every server. 3. Run this command again. It removes `secret.previous` at the end.",
    "If the command is interrupted, run it again. Each run continues.",
  ],
  async run(given, program) {
    const storage = readSharedStorage(given, program.environment);
    const tlsFiles = readTlsFilePaths(storage, program.environment);
    const logger = createToolLogger(program);
    const secretOptions = {
      storage,
      given: readSecret(program.environment),
      givenPrevious: readPreviousSecret(program.environment),
      logger,
    };
    refuseIncompleteSecrets(secretOptions);
    refuseMissingStore(storage);
    // The servers have reported already that the storage may lose data.
    await using store = await openStore(storage, { tlsFiles, onWarning: () => {} });
    const secret = await findServerSecret(secretOptions);
    if (secret === undefined) throw noSecret(storage);
    const previousSecrets = await findPreviousSecrets(secret, secretOptions);
    const directory =
      storage.type === "file" && secretOptions.given === undefined ? storage.directory : undefined;
    if (previousSecrets.length === 0 && directory !== undefined) {
      await refuseOtherSecret(secret, { ...secretOptions, store });
      await beginWithFiles(directory, program);
      return undefined;
    }
    const progress = createProgress(program);
    const rotation = await rotateServerSecret({
      store,
      secret,
      previousSecrets,
      onProgress: ({ pass, rows, reencrypted }) =>
        progress.report(() =>
          pass === 1
            ? `read ${formatCount(rows)} rows, encrypted ${formatCount(reencrypted)} again`
            : `checked ${formatCount(rows)} rows`,
        ),
    });
    if (!rotation.ok) {
      await refuseUnlessSame(rotation.reason, { ...secretOptions, store });
      return undefined;
    }
    if (directory !== undefined) await rm(join(directory, previousSecretFile), { force: true });
    program.complain(
      `rotated the server secret of ${describeStorage(storage)}: encrypted ${formatCount(rotation.reencrypted)} of ${formatCount(rotation.rows)} webhooks and listeners again`,
    );
    for (const line of describeUnreadable(rotation.unreadable)) program.complain(line);
    program.complain(
      directory === undefined
        ? "Now restart every server without HOOKWRIGHT_SECRET_PREVIOUS, and destroy the old secret."
        : "The servers go on with the new secret. Restart them when you like, so that they forget the old one.",
    );
    return undefined;
  },
};

interface GivenSecrets {
  readonly storage: StorageLocation;
  readonly given: string | undefined;
  readonly givenPrevious: string | undefined;
  readonly logger: Logger;
}

/** @throws {ServerError} `invalid_option` */
function refuseIncompleteSecrets({ storage, given, givenPrevious }: GivenSecrets): void {
  if (given === undefined && givenPrevious === undefined && storage.type === "file") return;
  const problems = [
    ...(given === undefined ? ["HOOKWRIGHT_SECRET is missing: set it to the new secret."] : []),
    ...(givenPrevious === undefined
      ? ["HOOKWRIGHT_SECRET_PREVIOUS is missing: set it to the present secret."]
      : []),
    ...(given !== undefined && given === givenPrevious
      ? ["HOOKWRIGHT_SECRET and HOOKWRIGHT_SECRET_PREVIOUS are equal: the first must be the new secret."]
      : []),
  ];
  if (problems.length > 0) throw new ServerError("invalid_option", problems.join("\n            "));
}

function noSecret(storage: StorageLocation): ServerError {
  return new ServerError(
    "server_secret_refused",
    `${describeStorage(storage)} has no file \`${secretFile}\`. If the servers have HOOKWRIGHT_SECRET, set HOOKWRIGHT_SECRET to the new secret and HOOKWRIGHT_SECRET_PREVIOUS to the present one.`,
  );
}

/** Servers read the files at their start, so nothing is encrypted with the new secret yet. */
async function beginWithFiles(directory: string, program: Program): Promise<void> {
  const previous = join(directory, previousSecretFile);
  await replaceSecretFile(join(directory, secretFile), previous);
  program.complain(
    `created a new secret in ${join(directory, secretFile)}, and kept the present one as ${previous}`,
  );
  program.complain("Now restart every server on this directory, then run this command again.");
}

/** More ids would hide the other lines. */
const maximumIds = 20;

function describeUnreadable(unreadable: readonly string[]): readonly string[] {
  if (unreadable.length === 0) return [];
  const shown = unreadable.slice(0, maximumIds).join(", ");
  const more =
    unreadable.length > maximumIds ? ` and ${formatCount(unreadable.length - maximumIds)} more` : "";
  return [
    `warning: neither secret decrypts the signing secret of ${shown}${more}. Their deliveries wait. Create these webhooks again.`,
  ];
}
