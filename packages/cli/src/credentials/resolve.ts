import { ownError } from "../cli-error.ts";
import { isLoopback } from "../api/is-loopback.ts";
import type { Environment } from "../terminal/program.ts";
import { findCredentialsFile, readLogins } from "./credentials-file.ts";
import type { Logins, StoredLogin } from "./credentials-file.ts";

export interface Resolved {
  /** The URL of the server, without a slash at the end. */
  readonly server: string;
  readonly token: string | undefined;
  readonly source: "option" | "variable" | "file" | "none";
  /** The login stored for this server. */
  readonly stored: StoredLogin | undefined;
  readonly file: string;
  readonly logins: Logins;
}

const defaultServer = "http://127.0.0.1:3000";

/**
 * Finds the server and the credential: option, then variable, then login. A stored credential is used only for the
 * server that it was stored for.
 *
 * @throws {CliError} `wrong_usage` if the URL of the server is invalid
 */
export async function resolveCredential(
  options: { readonly server: string | undefined; readonly key: string | undefined },
  environment: Environment,
): Promise<Resolved> {
  const file = findCredentialsFile(environment);
  const logins = await readLogins(file);
  const variable = nonEmpty(environment["HOOKWRIGHT_SERVER"]);
  const given = options.server;
  const server =
    given !== undefined
      ? parseServer("--server", given)
      : variable !== undefined
        ? parseServer("HOOKWRIGHT_SERVER", variable)
        : (logins.current ?? defaultServer);
  const stored = logins.byServer.get(server);
  const key = options.key?.trim();
  const keyVariable = nonEmpty(environment["HOOKWRIGHT_API_KEY"]);
  const credential =
    key !== undefined
      ? ({ token: key, source: "option" } as const)
      : keyVariable !== undefined
        ? ({ token: keyVariable, source: "variable" } as const)
        : stored !== undefined
          ? ({ token: stored.token, source: "file" } as const)
          : ({ token: undefined, source: "none" } as const);
  return { server, ...credential, stored, file, logins };
}

function nonEmpty(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? "";
  return trimmed === "" ? undefined : trimmed;
}

function parseServer(name: string, text: string): string {
  const example = "Write it like https://hooks.example.com";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw ownError("wrong_usage", `${name} must be an http or https URL. ${example}.`);
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
