import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from "node:fs";

/**
 * Makes a file of zeros where there is none, all of it on the disk, for its owner alone. It is made beside its place and then linked
 * there, so nobody who opens it meanwhile ever finds half of it.
 */
export function makeWholeFile(path: string, bytes: number): void {
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
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
