import { readFile } from "node:fs/promises";
import { parseHostTokens } from "@hookwright/domain";
import type { ApiClient } from "../api/api-client.ts";
import { messageOf, ownError } from "../cli-error.ts";
import { defaultServer, isUnencrypted } from "../credentials/resolve.ts";
import type { CommandContext } from "./command.ts";

/** A host token goes only to a server that is named, or to this machine: never to that of the last login. */
export async function connectAsHost({
  program,
  options,
  output,
  resolve,
  connectTo,
}: CommandContext): Promise<ApiClient> {
  const { environment } = program;
  const given = await readHostToken(environment);
  const parsed = parseHostTokens(given);
  if (!parsed.ok) throw ownError("credential_missing", `HOOKWRIGHT_HOST_TOKEN: ${parsed.problems.join(" ")}`);
  const mayManage = parsed.tokens.filter(({ scopes }) => scopes.includes("manage"));
  const host = mayManage.find(({ scopes }) => scopes.includes("read")) ?? mayManage[0];
  if (host === undefined)
    throw ownError("credential_missing", "no token in HOOKWRIGHT_HOST_TOKEN has the scope manage.");
  const isNamed = options.has("server") || (environment["HOOKWRIGHT_SERVER"] ?? "").trim() !== "";
  const server = isNamed
    ? (await resolve({ usesVariableKey: false, usesProfile: false })).server
    : defaultServer;
  if (isUnencrypted(server))
    output.remark(`hookwright: warning: ${server} is not encrypted. Others can read the token. Use https.`);
  return connectTo(server, host.token);
}

/** A server may have it in a file. */
async function readHostToken(environment: CommandContext["program"]["environment"]): Promise<string> {
  const given = (environment["HOOKWRIGHT_HOST_TOKEN"] ?? "").trim();
  const file = (environment["HOOKWRIGHT_HOST_TOKEN_FILE"] ?? "").trim();
  if (given !== "") return given;
  if (file === "")
    throw ownError("credential_missing", "set HOOKWRIGHT_HOST_TOKEN to the host token of the server.");
  return readFile(file, "utf8").catch((error: unknown) => {
    throw ownError(
      "credential_missing",
      `HOOKWRIGHT_HOST_TOKEN_FILE cannot be read: ${messageOf(error)}.`,
      error,
    );
  });
}
