import { ownError } from "../cli-error.ts";
import { isLoopback } from "../api/is-loopback.ts";
import type { Environment } from "../terminal/program.ts";
import { credentialsFileIn, findConfigFolder, nobody, profileName, readLogins } from "./credentials-file.ts";
import type { Logins, StoredLogin } from "./credentials-file.ts";

export interface Resolved {
  /** The URL of the server, without a slash at the end. */
  readonly server: string;
  readonly token: string | undefined;
  readonly source: "option" | "variable" | "file" | "none";
  /** The login stored for this server. */
  readonly stored: StoredLogin | undefined;
  /** The folder of the logins. Undefined for a user without a home folder. */
  readonly folder: string | undefined;
  /** The logins of the profile. */
  readonly file: string | undefined;
  /** Undefined: the logins without a profile. */
  readonly profile: string | undefined;
  /** Empty if a key was given, because the file is then not read. */
  readonly logins: Logins;
}

export interface ResolveOptions {
  /** False for commands that manage the stored logins. They do not send `HOOKWRIGHT_API_KEY`. @default true */
  readonly usesVariableKey?: boolean;
  /** False for commands with a host token, which goes only to a server that is named. @default true */
  readonly usesProfile?: boolean;
}

/** Where a key belongs, if no server is given. */
export const defaultServer = "http://127.0.0.1:3000";

/**
 * Finds the server and the credential. A key or a login is never sent to a server that it was not meant for:
 *
 * - The server is `--server`, then `HOOKWRIGHT_SERVER`. Without both, a key in `--key` or `HOOKWRIGHT_API_KEY` belongs to
 *   the default server. Without a key, the server is that of the last login, or the default.
 * - The credential is `--key`, then `HOOKWRIGHT_API_KEY`, then the login that is stored for exactly this server. If
 *   `HOOKWRIGHT_SERVER` is set, `HOOKWRIGHT_API_KEY` belongs to it, and another `--server` does not get it.
 * - A profile has logins of its own. With `--profile`, these two variables are not used. `HOOKWRIGHT_PROFILE` leaves them as they are.
 *
 * The file of the logins is read only if it can matter: a given key works without a home folder.
 *
 * @throws {CliError} `wrong_usage` if the URL of the server or the key is invalid
 */
export async function resolveCredential(
  options: {
    readonly server: string | undefined;
    readonly key: string | undefined;
    readonly profile?: string | undefined;
  },
  environment: Environment,
  { usesVariableKey = true, usesProfile = true }: ResolveOptions = {},
): Promise<Resolved> {
  const folder = findConfigFolder(environment);
  const profile = readProfile(options.profile, environment);
  const file = folder === undefined ? undefined : credentialsFileIn(folder, profile);
  const isChosen = usesProfile && options.profile !== undefined;
  const serverVariable = isChosen ? undefined : nonEmpty(environment["HOOKWRIGHT_SERVER"]);
  const key = readKey("--key", options.key);
  const keyVariable =
    usesVariableKey && !isChosen
      ? readKey("HOOKWRIGHT_API_KEY", environment["HOOKWRIGHT_API_KEY"])
      : undefined;
  const ofVariable =
    serverVariable === undefined ? undefined : parseServer("HOOKWRIGHT_SERVER", serverVariable);
  const given = options.server === undefined ? ofVariable : parseServer("--server", options.server);
  const ofKey = key ?? keyVariable;
  const forKey = given ?? defaultServer;
  const isForServer = key !== undefined || ofVariable === undefined || ofVariable === forKey;
  if (ofKey !== undefined && isForServer && usesVariableKey) {
    const source = key === undefined ? "variable" : "option";
    return { server: forKey, token: ofKey, source, stored: undefined, folder, file, profile, logins: nobody };
  }
  const logins = await readLogins(file);
  const server = given ?? (ofKey === undefined ? logins.current : undefined) ?? defaultServer;
  const stored = logins.byServer.get(server);
  return {
    server,
    token: key ?? stored?.token,
    source: key !== undefined ? "option" : stored === undefined ? "none" : "file",
    stored,
    folder,
    file,
    profile,
    logins,
  };
}

/** @throws {CliError} `wrong_usage` */
function readProfile(option: string | undefined, environment: Environment): string | undefined {
  const name = option ?? nonEmpty(environment["HOOKWRIGHT_PROFILE"]);
  if (name === undefined || name === "default") return undefined;
  if (profileName.test(name)) return name;
  throw ownError(
    "wrong_usage",
    `${option === undefined ? "HOOKWRIGHT_PROFILE" : "--profile"} must be 1 to 40 letters, digits, _ and -, but is ${JSON.stringify(name)}.`,
  );
}

/** The message does not show the key. @throws {CliError} `wrong_usage` if no header can have it */
function readKey(name: string, text: string | undefined): string | undefined {
  const key = nonEmpty(text);
  if (key === undefined || /^[!-~]+$/u.test(key)) return key;
  throw ownError(
    "wrong_usage",
    `${name} is no API key: it has a blank, a line break or another character that no key has. Copy the key again.`,
  );
}

function nonEmpty(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? "";
  return trimmed === "" ? undefined : trimmed;
}

function parseServer(name: string, text: string): string {
  const example = "Write it like https://hooks.example.com";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    // `localhost:3000` is a URL with the scheme `localhost:`.
    const isHost = /^[\w.-]+(?::\d+)?(?:\/[^@]*)?$/u.test(text);
    throw ownError(
      "wrong_usage",
      `${name} must be an http or https URL. ${isHost ? `Write http://${text} or https://${text}` : example}.`,
    );
  }
  if (url.username !== "" || url.password !== "")
    throw ownError("wrong_usage", `${name} must not contain a user or a password. Use --key.`);
  if (url.search !== "" || url.hash !== "")
    throw ownError("wrong_usage", `${name} must not have a query or a fragment. ${example}.`);
  return (url.origin + url.pathname).replace(/\/+$/u, "");
}

/** True if a credential would be sent to another machine without encryption. */
export function isUnencrypted(server: string): boolean {
  const { protocol, hostname } = new URL(server);
  return protocol === "http:" && !isLoopback(hostname);
}
