import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, open, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "hookwright";
import { minimumSecretLength } from "./options/options.ts";
import { ServerError } from "./server-error.ts";
import type { StorageLocation } from "./storage-location.ts";

export interface ServerSecretOptions {
  readonly storage: StorageLocation;
  /** `HOOKWRIGHT_SECRET`, which wins over what is kept. */
  readonly given: string | undefined;
  readonly logger: Logger;
}

/** In the data directory. */
export const secretFile = "secret";

/**
 * The secret that seals cursors and signing secrets: the one given, else the one kept in the data directory as `secret`
 * (mode 0600), which is made at the first start. In memory it lives as long as the data does.
 *
 * @throws {ServerError} `storage_unavailable`
 */
export async function readServerSecret({ storage, given, logger }: ServerSecretOptions): Promise<string> {
  if (storage.type !== "file") return given ?? createSecret();
  const path = join(storage.directory, secretFile);
  try {
    const kept = await readKept(path, logger);
    if (given === undefined) return kept ?? (await keep(path, storage.directory));
    if (kept !== undefined && kept !== given) {
      logger.warn(
        "HOOKWRIGHT_SECRET differs from the secret kept in the data directory: signing secrets sealed with that one cannot be read",
        { path, code: "secret_differs" },
      );
    }
    return given;
  } catch (cause) {
    if (cause instanceof ServerError) throw cause;
    throw new ServerError(
      "storage_unavailable",
      `the secret ${path} can be neither read nor made: ${reasonOf(cause)}`,
      { cause },
    );
  }
}

/** The secret that is there already, given or kept; none is made. */
export async function findServerSecret({
  storage,
  given,
  logger,
}: ServerSecretOptions): Promise<string | undefined> {
  if (given !== undefined || storage.type !== "file") return given;
  return readKept(join(storage.directory, secretFile), logger);
}

function createSecret(): string {
  return randomBytes(32).toString("base64url");
}

async function readKept(path: string, logger: Logger): Promise<string | undefined> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const secret = text.trim();
  if (secret.length < minimumSecretLength) {
    throw new ServerError(
      "storage_unavailable",
      `the secret in ${path} has fewer than ${minimumSecretLength} characters. Put the right one back, or set HOOKWRIGHT_SECRET; what was sealed with the lost one cannot be read again.`,
    );
  }
  await hide(path, logger);
  return secret;
}

/** Its owner alone may change the mode. Whoever else can read the secret can still work with it. */
async function hide(path: string, logger: Logger): Promise<void> {
  if (((await stat(path)).mode & 0o077) === 0) return;
  try {
    await chmod(path, 0o600);
    logger.warn("the secret in the data directory could be read by others; its mode is 0600 again", {
      path,
      code: "secret_file_readable",
    });
  } catch (error) {
    logger.warn(
      "the secret in the data directory can be read by others: have its owner set its mode to 0600",
      {
        path,
        error: reasonOf(error),
        code: "secret_file_readable",
      },
    );
  }
}

/**
 * Written whole beside its place and then linked there: a crash leaves no half of a secret, and of two servers that start
 * together on one directory the second takes what the first has made.
 */
async function keep(path: string, directory: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const secret = createSecret();
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(`${secret}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path);
    return secret;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST")
      return (await readFile(path, "utf8")).trim();
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
