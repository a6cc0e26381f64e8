import { CliError } from "../cli-error.ts";
import type { CommandContext } from "./command.ts";
import type { StoredLogin } from "../credentials/credentials-file.ts";

/** Ends a login of the console that is no longer stored. An API key stays valid. */
export async function endLogin(
  { connectTo, output }: Pick<CommandContext, "connectTo" | "output">,
  server: string,
  login: StoredLogin | undefined,
): Promise<void> {
  if (login?.kind !== "console") return;
  try {
    await connectTo(server, login.token).send({ method: "DELETE", path: "/console/api/session" });
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    // The token may have expired, or the server may be gone. The file no longer has the token.
    if (error.code === "server_unreachable")
      output.remark(`hookwright: the server did not confirm it: ${error.message}`);
  }
}
