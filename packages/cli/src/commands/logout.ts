import { exitStatus } from "../cli-error.ts";
import type { Command } from "../command-line/command.ts";
import { writeLogins } from "../credentials/credentials-file.ts";
import { endLogin } from "../command-line/end-login.ts";

export const logoutCommand: Command = {
  name: "logout",
  description: "Delete the stored credential of a server",
  group: "Account",
  options: [],
  common: ["server", "profile", "json"],
  examples: [
    { command: "hookwright logout", explanation: "Log out of the server of the last login" },
    {
      command: "hookwright logout --server https://hooks.example.com",
      explanation: "Log out of another server",
    },
  ],
  notes: ["A console login becomes invalid. An API key stays valid: revoke it in the console."],
  async run(context) {
    const { server, stored, file, logins } = await context.resolve({ usesVariableKey: false });
    const { output } = context;
    if (stored === undefined || file === undefined) {
      output.line(`There is no stored login for ${server}.`);
      output.document({ server, logged_out: false });
      return exitStatus.done;
    }
    const byServer = new Map(logins.byServer);
    byServer.delete(server);
    const [other] = byServer.keys();
    await writeLogins(file, { current: logins.current === server ? other : logins.current, byServer });
    await endLogin(context, server, stored);
    output.line(`Logged out of ${server}.`);
    if (stored.kind === "key")
      output.line("The API key is still valid. Revoke it in the console if it is not needed.");
    output.document({ server, logged_out: true });
    return exitStatus.done;
  },
};
