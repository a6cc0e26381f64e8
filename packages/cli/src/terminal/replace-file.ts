import { randomUUID } from "node:crypto";
import { chmod, realpath, rename, rm, stat, writeFile } from "node:fs/promises";

/**
 * Replaces a file in one step: the new content is either complete or absent, and a crash leaves the old file.
 * A link stays, and the file that it names is replaced. A device or a pipe, such as `/dev/stdout`, is written to.
 *
 * @param options.mode the exact permissions. @default those of any new file
 * @throws the error of the file system
 */
export async function replaceFile(
  file: string,
  content: string,
  { mode }: { readonly mode?: number } = {},
): Promise<void> {
  const old = await stat(file).catch(() => undefined);
  if (old !== undefined && !old.isFile()) return writeFile(file, content);
  const place = old === undefined ? file : await realpath(file);
  const fresh = `${place}.${randomUUID()}`;
  try {
    await writeFile(fresh, content, { mode, flag: "wx" });
    // The mode of a new file is reduced by the umask, but never extended. This makes it exact.
    if (mode !== undefined) await chmod(fresh, mode);
    await rename(fresh, place);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}
