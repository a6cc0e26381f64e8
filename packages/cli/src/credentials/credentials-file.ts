import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { isRow, rowOf, textOf } from "../api/fields.ts";
import { messageOf, ownError } from "../cli-error.ts";
import type { Environment } from "../terminal/program.ts";
import { replaceFile } from "../terminal/replace-file.ts";

/** What a login has stored for one server. */
export interface StoredLogin {
  /** An API key or a console token. */
  readonly token: string;
  readonly kind: "key" | "console";
  /** When a console token expires. Undefined: 90 days after its last use, and a key never. */
  readonly expiresAt: string | undefined;
  /** The account, for messages. */
  readonly account: string;
}

export function describeExpiry({ expiresAt }: Pick<StoredLogin, "expiresAt">): string {
  return expiresAt === undefined ? "90 days after its last use" : `at ${expiresAt}`;
}

export interface Logins {
  /** The server of the last login, which commands use by default. */
  readonly current: string | undefined;
  readonly byServer: ReadonlyMap<string, StoredLogin>;
}

export const nobody: Logins = { current: undefined, byServer: new Map() };

/** The logins of a profile, or those without a profile. */
export function credentialsFileIn(folder: string, profile: string | undefined): string {
  return path.join(folder, ...(profile === undefined ? [] : ["profiles", profile]), "credentials.json");
}

/** The names of the profiles that have a login. */
export async function listProfiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(path.join(folder, "profiles")).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw ownError("file_unusable", `${folder} cannot be read: ${messageOf(error)}.`, error);
  });
  return names.filter((name) => profileName.test(name)).toSorted();
}

export const profileName = /^[\w-]{1,40}$/u;

/**
 * `$XDG_CONFIG_HOME/hookwright`, by default below `~/.config`, and below `%APPDATA%` on Windows. Undefined for a user without a home
 * folder.
 *
 * @see https://specifications.freedesktop.org/basedir-spec/latest/
 */
export function findConfigFolder(environment: Environment): string | undefined {
  const { XDG_CONFIG_HOME: configured = "", APPDATA: roaming = "" } = environment;
  const home = environment["HOME"] || findHome();
  // The specification says that a relative path must be ignored.
  if (path.isAbsolute(configured)) return path.join(configured, ownFolder);
  if (roaming !== "") return path.join(roaming, ownFolder);
  return path.isAbsolute(home) ? path.join(home, ".config", ownFolder) : undefined;
}

const ownFolder = "hookwright";

/** A container may run as a user that the system does not know. */
function findHome(): string {
  try {
    return homedir();
  } catch {
    // `findConfigFolder` returns undefined.
    return "";
  }
}

/** @throws {CliError} `file_unusable` */
export async function readLogins(file: string | undefined): Promise<Logins> {
  if (file === undefined) return nobody;
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (isMissing(error)) return nobody;
    throw ownError("file_unusable", `${file} cannot be read: ${messageOf(error)}.`, error);
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw ownError("file_unusable", `${file} is damaged. Delete it and run \`hookwright login\`.`, error);
  }
  if (!isRow(content)) return nobody;
  const byServer = new Map<string, StoredLogin>();
  for (const [server, stored] of Object.entries(rowOf(content, "servers") ?? {})) {
    if (!isRow(stored)) continue;
    const token = textOf(stored, "token");
    if (token === undefined) continue;
    byServer.set(server, {
      token,
      kind: textOf(stored, "kind") === "console" ? "console" : "key",
      expiresAt: textOf(stored, "expires_at"),
      account: textOf(stored, "account") ?? "",
    });
  }
  const current = textOf(content, "current");
  const usable = current !== undefined && URL.canParse(current) && byServer.has(current);
  return { current: usable ? current : undefined, byServer };
}

/**
 * Replaces the file in one step, readable by its owner only. Without a login, the file is deleted.
 *
 * @throws {CliError} `file_unusable`
 */
export async function writeLogins(file: string, { current, byServer }: Logins): Promise<void> {
  const servers = Object.fromEntries(
    [...byServer].map(([server, { token, kind, expiresAt, account }]) => [
      server,
      { token, kind, ...(expiresAt === undefined ? {} : { expires_at: expiresAt }), account },
    ]),
  );
  try {
    if (byServer.size === 0) return await rm(file, { force: true });
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await replaceFile(file, `${JSON.stringify({ current, servers }, null, 2)}\n`, { mode: 0o600 });
  } catch (error) {
    throw ownError("file_unusable", `${file} cannot be written: ${messageOf(error)}.`, error);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
