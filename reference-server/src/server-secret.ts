import { join } from "node:path";
import type { Store } from "@hookwright/storage";
import { bindServerSecret, compareServerSecret, isBoundToServerSecret } from "hookwright";
import type { Logger, ServerSecretMatch } from "hookwright";
import {
  createSecretFile,
  previousSecretFile,
  randomSecret,
  readSecretFile,
  secretFile,
} from "./secret-file.ts";
import { ServerError } from "./server-error.ts";
import { createServerLog } from "./server-log-lines.ts";
import { describeStorage } from "./storage-location.ts";
import type { StorageLocation } from "./storage-location.ts";

export interface ServerSecretOptions {
  readonly storage: StorageLocation;
  /** `HOOKWRIGHT_SECRET`, which overrides the file. */
  readonly given: string | undefined;
  /** `HOOKWRIGHT_SECRET_PREVIOUS`. @default the file `secret.previous` beside the file `secret` */
  readonly givenPrevious?: string | undefined;
  readonly logger: Logger;
}

/** Options with the opened store of the storage. */
export interface StoredSecretOptions extends ServerSecretOptions {
  readonly store: Store;
}

export interface ServerSecrets {
  readonly secret: string;
  readonly previousSecrets: readonly string[];
}

/**
 * Returns the secret that encrypts signing secrets and authenticates cursors: `HOOKWRIGHT_SECRET`, or the file `secret`
 * of the data directory (mode 0600), which is created at the first start. With the storage `memory` it lives as long as
 * the data. During a rotation the previous secret comes with it.
 *
 * @throws {ServerError} `server_secret_refused` if the data was written with another secret, or if the file is missing
 * although the data needs it; `storage_unavailable`
 */
export async function readServerSecrets(options: StoredSecretOptions): Promise<ServerSecrets> {
  const { storage, store, given, logger } = options;
  const secret = (await findServerSecret(options)) ?? (await createServerSecret(options));
  const previousSecrets = await findPreviousSecrets(secret, options);
  await refuseUnlessSame(await bindServerSecret({ store, secret, previousSecrets }), options);
  const kept = given === undefined ? undefined : await readIgnoredFile(options);
  if (kept !== undefined && kept !== given && !previousSecrets.includes(kept)) {
    createServerLog(logger)(
      "secret_differs",
      { path: pathOf(storage) },
      "the data directory holds another secret than HOOKWRIGHT_SECRET, and that secret is not used",
    );
  }
  return { secret, previousSecrets };
}

/**
 * Returns what {@link readServerSecrets} would return, but creates nothing and changes no data. Undefined: a server would create
 * a secret.
 *
 * @throws {ServerError} as it does
 */
export async function examineServerSecrets(options: StoredSecretOptions): Promise<ServerSecrets | undefined> {
  const { storage, store } = options;
  const secret = await findServerSecret(options);
  if (secret === undefined) {
    if (pathOf(storage) !== undefined && (await isBoundToServerSecret(store))) throw missingSecret(storage);
    return undefined;
  }
  const previousSecrets = await findPreviousSecrets(secret, options);
  await refuseUnlessSame(await compareServerSecret({ store, secret, previousSecrets }), options);
  return { secret, previousSecrets };
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
 * Returns the secret before the given one, during a rotation.
 *
 * @throws {ServerError} `storage_unavailable`
 */
export async function findPreviousSecrets(
  secret: string,
  { storage, given, givenPrevious, logger }: ServerSecretOptions,
): Promise<readonly string[]> {
  const path = given === undefined ? pathOf(storage, previousSecretFile) : undefined;
  const previous = givenPrevious ?? (path === undefined ? undefined : await readSecretFile(path, logger));
  return previous === undefined || previous === secret ? [] : [previous];
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
  await refuseUnlessSame(await compareAlone(secret, options), options);
}

/**
 * Same as {@link refuseOtherSecret}. From then on, the store accepts no other secret.
 *
 * @throws {ServerError} `server_secret_refused`
 */
export async function bindSecret(secret: string, options: StoredSecretOptions): Promise<void> {
  await refuseUnlessSame(await compareAlone(secret, options), options);
  await refuseUnlessSame(await bindServerSecret({ store: options.store, secret }), options);
}

/** Before the values are encrypted again, only the previous secret decrypts them. */
async function compareAlone(secret: string, options: StoredSecretOptions): Promise<ServerSecretMatch> {
  const { store } = options;
  const match = await compareServerSecret({ store, secret });
  if (match !== "other") return match;
  const previousSecrets = await findPreviousSecrets(secret, options);
  return (await compareServerSecret({ store, secret, previousSecrets })) === "same" ? "rotating" : match;
}

/** @throws {ServerError} `server_secret_refused` */
export async function refuseUnlessSame(
  match: ServerSecretMatch,
  options: StoredSecretOptions,
): Promise<void> {
  if (match === "same" || match === "unused") return;
  const describeMatch = {
    other: describeOther,
    rotating: describeRotating,
    unknown_format: describeUnknownFormat,
  };
  throw new ServerError("server_secret_refused", await describeMatch[match](options));
}

async function describeOther(options: StoredSecretOptions): Promise<string> {
  const { storage, store, given, givenPrevious } = options;
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
  const subject =
    givenPrevious === undefined
      ? "HOOKWRIGHT_SECRET is not"
      : "neither HOOKWRIGHT_SECRET nor HOOKWRIGHT_SECRET_PREVIOUS is";
  return `${subject} the server secret ${consequence}. ${remedy}`;
}

function describeRotating({ storage }: StoredSecretOptions): string {
  const files =
    storage.type === "file" ? `, or the files \`${secretFile}\` and \`${previousSecretFile}\`` : "";
  return `the server secret of the data in ${describeStorage(storage)} is being replaced, and one of the two secrets is not enough. Servers need HOOKWRIGHT_SECRET and HOOKWRIGHT_SECRET_PREVIOUS${files}. Complete the replacement with \`hookwright rotate-secret\` before you use other commands.`;
}

function describeUnknownFormat({ storage }: StoredSecretOptions): string {
  return `the data in ${describeStorage(storage)} holds a check value of the server secret that this version cannot read. Start the later version that wrote it, or restore a backup.`;
}

/** `undefined` if the storage has no directory. */
function pathOf(storage: StorageLocation, name = secretFile): string | undefined {
  return storage.type === "file" ? join(storage.directory, name) : undefined;
}

/**
 * Refuses to create a new secret for data that was encrypted with a lost one, because no delivery could be signed.
 *
 * @throws {ServerError} `server_secret_refused`, `storage_unavailable`
 */
async function createServerSecret({ storage, store, logger }: StoredSecretOptions): Promise<string> {
  const path = pathOf(storage);
  if (path === undefined) return randomSecret();
  if (!(await isBoundToServerSecret(store))) return createSecretFile(path);
  // Another process may have created the file and written data since this process looked for the file.
  const created = await readSecretFile(path, logger);
  if (created !== undefined) return created;
  throw missingSecret(storage);
}

function missingSecret(storage: StorageLocation): ServerError {
  return new ServerError(
    "server_secret_refused",
    `the data in ${describeStorage(storage)} was written with a server secret, but the file ${pathOf(storage)} is missing and HOOKWRIGHT_SECRET is not set. Put the file back (a backup of the data directory has it), or set HOOKWRIGHT_SECRET to the original secret.`,
  );
}

/** Reads the file although HOOKWRIGHT_SECRET is set. The file is not used, so it may be damaged. */
async function readIgnoredFile({ storage, logger }: ServerSecretOptions): Promise<string | undefined> {
  const path = pathOf(storage);
  return path === undefined ? undefined : readSecretFile(path, logger).catch(() => undefined);
}
