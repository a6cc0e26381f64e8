import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, open, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Store } from "@hookwright/storage";
import { bindServerSecret, compareServerSecret, isBoundToServerSecret } from "hookwright";
import type { Logger, ServerSecretMatch } from "hookwright";
import { minimumSecretLength } from "./options/options.ts";
import { ServerError } from "./server-error.ts";
import { describeStorage } from "./storage-location.ts";
import type { StorageLocation } from "./storage-location.ts";

export interface ServerSecretOptions {
  readonly storage: StorageLocation;
  /** `HOOKWRIGHT_SECRET`, which overrides the file. */
  readonly given: string | undefined;
  readonly logger: Logger;
}

/** Options with the opened store of the storage. */
export interface StoredSecretOptions extends ServerSecretOptions {
  readonly store: Store;
}

/** The name of the file in the data directory. */
export const secretFile = "secret";

/**
 * Returns the secret that encrypts signing secrets and authenticates cursors: `HOOKWRIGHT_SECRET`, or the file `secret`
 * of the data directory (mode 0600), which is created at the first start. With the storage `memory` it lives as long as
 * the data.
 *
 * @throws {ServerError} `server_secret_refused` if the data was written with another secret, or if the file is missing
 * although the data needs it; `storage_unavailable`
 */
export async function readServerSecret(options: StoredSecretOptions): Promise<string> {
  const { storage, store, given, logger } = options;
  const secret = (await findServerSecret(options)) ?? (await createServerSecret(options));
  await refuseUnlessSame(await bindServerSecret({ store, secret }), options);
  const kept = given === undefined ? undefined : await readIgnoredFile(options);
  if (kept !== undefined && kept !== given) {
    logger.warn(
      "the data directory holds another secret than HOOKWRIGHT_SECRET, and that secret is not used",
      {
        path: pathOf(storage),
        code: "secret_differs",
      },
    );
  }
  return secret;
}

/**
 * Returns the given secret or that of the file, without creating one.
 *
 * @throws {ServerError} `storage_unavailable`
 */
export async function findServerSecret({
  storage,
  given,
  logger,
}: ServerSecretOptions): Promise<string | undefined> {
  const path = pathOf(storage);
  return given !== undefined || path === undefined ? given : readSecretFile(path, logger);
}

/**
 * Refuses a secret that the data was not written with. A store without encrypted data accepts any secret. It writes
 * nothing.
 *
 * @throws {ServerError} `server_secret_refused`
 */
export async function refuseOtherSecret(
  secret: string | undefined,
  options: StoredSecretOptions,
): Promise<void> {
  if (secret === undefined) return;
  await refuseUnlessSame(await compareServerSecret({ store: options.store, secret }), options);
}

/**
 * Same as {@link refuseOtherSecret}. From then on, the store accepts no other secret.
 *
 * @throws {ServerError} `server_secret_refused`
 */
export async function bindSecret(secret: string, options: StoredSecretOptions): Promise<void> {
  await refuseUnlessSame(await bindServerSecret({ store: options.store, secret }), options);
}

async function refuseUnlessSame(match: ServerSecretMatch, options: StoredSecretOptions): Promise<void> {
  if (match === "same" || match === "unused") return;
  throw new ServerError(
    "server_secret_refused",
    match === "other" ? await describeOther(options) : describeUnknownFormat(options),
  );
}

async function describeOther(options: StoredSecretOptions): Promise<string> {
  const { storage, store, given } = options;
  const path = pathOf(storage);
  const consequence = `that the data in ${describeStorage(storage)} was written with, so its signing secrets cannot be decrypted`;
  if (given === undefined) {
    return `the file ${path} does not hold the server secret ${consequence}. Put the original file back (a backup of the data directory has it), or set HOOKWRIGHT_SECRET to the original secret.`;
  }
  const kept = await readIgnoredFile(options);
  const isKept = kept !== undefined && (await compareServerSecret({ store, secret: kept })) === "same";
  const remedy = isKept
    ? `Unset HOOKWRIGHT_SECRET: the file ${path} holds the original secret.`
    : "Set HOOKWRIGHT_SECRET to the original secret, or use an empty --storage.";
  return `HOOKWRIGHT_SECRET is not the server secret ${consequence}. ${remedy}`;
}

function describeUnknownFormat({ storage }: StoredSecretOptions): string {
  return `the data in ${describeStorage(storage)} holds a check value of the server secret that this version cannot read. Start the later version that wrote it, or restore a backup.`;
}

/** `undefined` if the storage has no directory. */
function pathOf(storage: StorageLocation): string | undefined {
  return storage.type === "file" ? join(storage.directory, secretFile) : undefined;
}

/**
 * Refuses to create a new secret for data that was encrypted with a lost one, because no delivery could be signed.
 *
 * @throws {ServerError} `server_secret_refused`, `storage_unavailable`
 */
async function createServerSecret({ storage, store, logger }: StoredSecretOptions): Promise<string> {
  const path = pathOf(storage);
  if (path === undefined || storage.type !== "file") return randomSecret();
  if (!(await isBoundToServerSecret(store)))
    return createSecretFile(path, storage.directory).catch(refuseFile(path));
  // Another process may have created the file and written data since this process looked for the file.
  const created = await readSecretFile(path, logger);
  if (created !== undefined) return created;
  throw new ServerError(
    "server_secret_refused",
    `the data in ${describeStorage(storage)} was written with a server secret, but the file ${path} is missing and HOOKWRIGHT_SECRET is not set. Put the file back (a backup of the data directory has it), or set HOOKWRIGHT_SECRET to the original secret.`,
  );
}

function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Reads the file although HOOKWRIGHT_SECRET is set. The file is not used, so it may be damaged. */
async function readIgnoredFile({ storage, logger }: ServerSecretOptions): Promise<string | undefined> {
  const path = pathOf(storage);
  return path === undefined ? undefined : readSecretFile(path, logger).catch(() => undefined);
}

/** @throws {ServerError} `storage_unavailable` */
async function readSecretFile(path: string, logger: Logger): Promise<string | undefined> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (isSystemErrorOf(error, "ENOENT")) return undefined;
    return refuseFile(path)(error);
  });
  if (text === undefined) return undefined;
  const secret = text.trim();
  if (secret.length < minimumSecretLength) {
    throw new ServerError(
      "storage_unavailable",
      `the secret in ${path} has fewer than ${minimumSecretLength} characters. Put the original file back, or set HOOKWRIGHT_SECRET to the original secret. Without it, stored signing secrets cannot be decrypted.`,
    );
  }
  await hide(path, logger).catch(refuseFile(path));
  return secret;
}

/** Only the owner can change the mode. Another user who can read the secret can still use it. */
async function hide(path: string, logger: Logger): Promise<void> {
  if (((await stat(path)).mode & 0o077) === 0) return;
  try {
    await chmod(path, 0o600);
    logger.warn("other users could read the secret in the data directory, so its mode was set to 0600", {
      path,
      code: "secret_file_readable",
    });
  } catch (error) {
    logger.warn(
      "other users can read the secret in the data directory, and its owner must set its mode to 0600",
      { path, error: reasonOf(error), code: "secret_file_readable" },
    );
  }
}

/**
 * Creates the file under a temporary name and links it. A crash leaves no partial secret, and of two servers that start
 * together, the second uses the file of the first.
 */
async function createSecretFile(path: string, directory: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const secret = randomSecret();
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
    if (isSystemErrorOf(error, "EEXIST")) return (await readFile(path, "utf8")).trim();
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

function refuseFile(path: string): (cause: unknown) => never {
  return (cause) => {
    throw new ServerError(
      "storage_unavailable",
      `the secret ${path} can be neither read nor created: ${reasonOf(cause)}`,
      { cause },
    );
  };
}

function isSystemErrorOf(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
