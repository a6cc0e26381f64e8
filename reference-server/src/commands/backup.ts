import { existsSync } from "node:fs";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { options } from "../options/options.ts";
import { previousSecretFile, secretFile } from "../secret-file.ts";
import { ServerError } from "../server-error.ts";
import { createProgress, formatBytes } from "../transfer/progress.ts";
import { readPath } from "./read-path.ts";
import { removeWhenStopped } from "./remove-when-stopped.ts";
import { readSharedStorage, refuseIncomplete, refuseMissingStore, storageOption } from "./shared-storage.ts";
import type { ServerCommand } from "./server-command.ts";

/** `hookwright backup` copies a data directory while servers use it. */
export const backupCommand: ServerCommand = {
  options: [
    {
      ...storageOption,
      value: "file:DIR",
      description: `The data directory (HOOKWRIGHT_STORAGE). Default: ${options.storage.shownDefault}`,
    },
    { flag: "to", value: "DIR", description: "The new directory. It must not exist, or must be empty" },
  ],
  notes: [
    "The copy is a data directory with the state of one moment. To restore it, start a server with it as --storage. If the backup fails, no copy appears.",
    "The copy contains the file `secret` if the original does. Protect it: the copy and the secret together reveal the signing secrets of webhooks. If you set HOOKWRIGHT_SECRET instead, back it up separately.",
  ],
  async run(given, program) {
    const storage = readSharedStorage(given, program.environment, "file:DIR");
    if (storage.type !== "file") {
      throw new ServerError(
        "invalid_option",
        'backup needs a data directory (--storage file:DIR). To back up Redis, use redis-cli --rdb; to back up PostgreSQL, pg_dump; to back up unstorage, stop the server and copy the items. The page "Backup and restore" has the commands. To move one account, use `hookwright export`.',
      );
    }
    if (given["to"] === undefined)
      throw refuseIncomplete(storage, ["--to is missing: name the directory to create."]);
    const to = readPath("to", given["to"]);
    refuseMissingStore(storage);
    const { directory } = storage;
    const { copyFilesystemStore } = await import("@hookwright/storage/filesystem");
    const progress = createProgress(program);
    let copied = 0;
    const previousBefore = await readPrevious(directory);
    await copyFilesystemStore({
      directory,
      to,
      onDraft: (temporaryCopy) => removeWhenStopped(program, temporaryCopy),
      async extra(temporaryCopy) {
        const secret = join(directory, secretFile);
        if (existsSync(secret)) await copyFile(secret, join(temporaryCopy, secretFile));
        // A rotation of the secret may have begun or ended since the copy began. An unneeded secret is harmless.
        const previous = (await readPrevious(directory)) ?? previousBefore;
        if (previous !== undefined)
          await writeFile(join(temporaryCopy, previousSecretFile), previous, { mode: 0o600 });
      },
      onProgress(bytes, ofBytes) {
        copied = bytes;
        progress.report(() => `copied ${formatBytes(bytes)} of at most ${formatBytes(ofBytes)}`);
      },
    });
    program.complain(`copied ${formatBytes(copied)}: ${directory} → ${to}`);
  },
};

/** Undefined if no rotation of the secret is in progress. */
async function readPrevious(directory: string): Promise<string | undefined> {
  const path = join(directory, previousSecretFile);
  return existsSync(path) ? readFile(path, "utf8").catch(() => undefined) : undefined;
}
