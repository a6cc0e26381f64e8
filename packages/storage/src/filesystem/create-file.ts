import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from "node:fs";
import { giveToOwner } from "./file-access.ts";

/**
 * LMDB uses the whole lock file for its table of readers. This is enough for about 250 in all processes
 * together.
 *
 * LMDB would create a sparse file and write to its memory map. On a full disk the kernel would then kill the
 * process with SIGBUS. With allocated blocks, a full disk is an ordinary error.
 */
export const lockFileBytes = 16 * 1024;

/**
 * Creates a file of zeros with access for its owner only, unless it exists. It is written under another name and then linked,
 * so that no process sees it incomplete. A file of root belongs to the owner of the directory.
 */
export function createFile(path: string, bytes = 0): void {
  if (existsSync(path)) return;
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    const file = openSync(draft, "wx", 0o600);
    try {
      writeSync(file, Buffer.alloc(bytes));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    giveToOwner(draft);
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
