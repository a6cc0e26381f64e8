import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Logger } from "hookwright";
import { minimumSecretLength } from "./options/options.ts";
import { ServerError } from "./server-error.ts";
import { createServerLog } from "./server-log-lines.ts";

/** The name of the file in the data directory. */
export const secretFile = "secret";
/** The secret before it, during a rotation. */
export const previousSecretFile = "secret.previous";

export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** @throws {ServerError} `storage_unavailable` */
export async function readSecretFile(path: string, logger: Logger): Promise<string | undefined> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (isSystemErrorOf(error, "ENOENT")) return undefined;
    return refuseFile(path, error);
  });
  if (text === undefined) return undefined;
  const secret = text.trim();
  if (secret.length < minimumSecretLength) {
    throw new ServerError(
      "storage_unavailable",
      `the secret in ${path} has fewer than ${minimumSecretLength} characters. Put the original file back, or set HOOKWRIGHT_SECRET to the original secret. Without it, stored signing secrets cannot be decrypted.`,
    );
  }
  await hide(path, logger).catch((error: unknown) => refuseFile(path, error));
  return secret;
}

/**
 * Creates the file with a random secret. A crash leaves no partial secret, and of two servers that start together, the
 * second uses the file of the first.
 *
 * @throws {ServerError} `storage_unavailable`
 */
export async function createSecretFile(path: string): Promise<string> {
  const secret = randomSecret();
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await withDraft(path, secret, (draft) => link(draft, path));
    return secret;
  } catch (error) {
    if (!isSystemErrorOf(error, "EEXIST")) return refuseFile(path, error);
    return (await readFile(path, "utf8").catch((cause: unknown) => refuseFile(path, cause))).trim();
  }
}

/**
 * Puts a random secret in the place of the file, and keeps the present one as `secret.previous`. After a crash both files
 * may have the present secret, and the same call continues.
 *
 * @throws {ServerError} `storage_unavailable`
 */
export async function replaceSecretFile(path: string, previousPath: string): Promise<void> {
  try {
    await link(path, previousPath).catch((error: unknown) => {
      if (!isSystemErrorOf(error, "EEXIST")) throw error;
    });
    await withDraft(path, randomSecret(), (draft) => rename(draft, path));
  } catch (error) {
    await refuseFile(path, error);
  }
}

/** Writes a secret to a temporary file, so that the secret appears completely or not at all. */
async function withDraft(path: string, secret: string, use: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(`${secret}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    const { giveToOwner } = await import("@hookwright/storage/filesystem");
    giveToOwner(draft);
    await use(draft);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Only the owner can change the mode. Another user who can read the secret can still use it. */
async function hide(path: string, logger: Logger): Promise<void> {
  if (((await stat(path)).mode & 0o077) === 0) return;
  const log = createServerLog(logger);
  try {
    await chmod(path, 0o600);
    log(
      "secret_file_readable",
      { path },
      "other users could read the secret in the data directory, so its mode was set to 0600",
    );
  } catch (error) {
    log(
      "secret_file_readable",
      { path, error },
      "other users can read the secret in the data directory, and its owner must set its mode to 0600",
    );
  }
}

async function refuseFile(path: string, cause: unknown): Promise<never> {
  const { explainFileAccess } = await import("@hookwright/storage/filesystem");
  const reason = explainFileAccess(path) ?? explainFileAccess(dirname(path)) ?? reasonOf(cause);
  throw new ServerError(
    "storage_unavailable",
    `the secret ${path} can be neither read nor created: ${reason}`,
    { cause },
  );
}

function isSystemErrorOf(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
