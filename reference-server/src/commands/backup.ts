import { copyFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { options } from "../options/options.ts";
import type { Program } from "../program.ts";
import { secretFile } from "../server-secret.ts";
import { ServerError } from "../server-error.ts";
import { createProgress, formatBytes } from "../transfer/progress.ts";
import { readPath } from "./read-path.ts";
import { removeWhenStopped } from "./remove-when-stopped.ts";
import { readSharedStorage, refuseIncomplete, storageOption } from "./shared-storage.ts";
import { createToolCommand } from "./tool-command.ts";

/** `hookwright backup`: copies a data directory while servers work in it. */
export function createBackupCommand(program: Program) {
  return createToolCommand({
    name: "backup",
    description: "Copy a data directory while servers work in it",
    options: [
      {
        ...storageOption,
        value: "file:DIR",
        description: `What to copy (HOOKWRIGHT_STORAGE); by default ${options.storage.shownDefault}`,
      },
      { flag: "to", value: "DIR", description: "Where to; it must not exist, or be empty" },
    ],
    notes: [
      "The copy is the data of one moment, in a data directory: to go back to it, serve from it. It appears when it is complete, or not at all.",
      "It holds the file `secret` if the original does: whoever has both can read the signing secrets of webhooks. Where HOOKWRIGHT_SECRET is set instead, keep that one elsewhere.",
    ],
    async run(given) {
      const storage = readSharedStorage(given, program.environment, "file:DIR");
      if (storage.type !== "file") {
        throw new ServerError(
          "invalid_option",
          "backup copies a data directory (--storage file:DIR). Redis has its own way: BGSAVE, or a replica; one account can be moved with `hookwright export`.",
        );
      }
      if (given["to"] === undefined)
        throw refuseIncomplete(storage, ["--to is missing: say which directory to make."]);
      const to = readPath("to", given["to"]);
      const { directory } = storage;
      const { copyFilesystemStore } = await import("@hookwright/storage/filesystem");
      const progress = createProgress({ complain: program.complain, now: () => performance.now() });
      let copied = 0;
      await copyFilesystemStore({
        directory,
        to,
        onDraft: (draft) => removeWhenStopped(program, draft),
        async extra(draft) {
          const secret = join(directory, secretFile);
          if (existsSync(secret)) await copyFile(secret, join(draft, secretFile));
        },
        onProgress(bytes, ofBytes) {
          copied = bytes;
          progress.report(() => `copied ${formatBytes(bytes)} of at most ${formatBytes(ofBytes)}`);
        },
      });
      program.complain(`copied ${formatBytes(copied)}: ${directory} → ${to}`);
    },
  });
}
