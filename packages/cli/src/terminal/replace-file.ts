import { randomUUID } from "node:crypto";
import { chmod, rename, rm, writeFile } from "node:fs/promises";

/**
 * Replaces a file in one step: the new content is either complete or absent, and a crash leaves the old file.
 *
 * @param options.mode the exact permissions. @default those of any new file
 * @throws the error of the file system
 */
export async function replaceFile(
  file: string,
  content: string,
  { mode }: { readonly mode?: number } = {},
): Promise<void> {
  const fresh = `${file}.${randomUUID()}`;
  try {
    await writeFile(fresh, content, { mode, flag: "wx" });
    // The mode of a new file is reduced by the umask, but never extended. This makes it exact.
    if (mode !== undefined) await chmod(fresh, mode);
    await rename(fresh, file);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}
