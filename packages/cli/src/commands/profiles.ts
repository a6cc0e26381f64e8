import { exitStatus, ownError } from "../cli-error.ts";
import type { Command } from "../command-line/command.ts";
import { credentialsFileIn, listProfiles, readLogins } from "../credentials/credentials-file.ts";
import { printTable } from "../render/render-rows.ts";

export const profilesCommand: Command = {
  name: "profiles",
  description: "List the profiles: logins of several servers and accounts",
  group: "Account",
  options: [],
  common: ["json"],
  examples: [
    {
      command: "hookwright login --profile staging --server https://hooks.staging.example.com",
      explanation: "Create a profile, or log in again",
    },
    { command: "hookwright deliveries --failed --profile staging", explanation: "Use it once" },
    { command: "export HOOKWRIGHT_PROFILE=staging", explanation: "Use it in this terminal" },
    { command: "hookwright logout --profile staging", explanation: "Delete its login" },
  ],
  notes: [
    "Each profile has its own logins, and its own server of the last login. The logins without a profile are listed as default.",
  ],
  async run(context) {
    const { folder, profile: chosen } = await context.resolve({ usesVariableKey: false });
    if (folder === undefined)
      throw ownError("file_unusable", "there is no home folder for profiles. Set HOME or XDG_CONFIG_HOME.");
    const rows: ProfileRow[] = [];
    for (const profile of [undefined, ...(await listProfiles(folder))]) {
      const { current, byServer } = await readLogins(credentialsFileIn(folder, profile));
      for (const [server, { account, kind }] of byServer)
        rows.push({
          profile: profile ?? "default",
          server,
          account,
          credential: kind,
          current: profile === chosen && server === current,
        });
    }
    const { output } = context;
    if (rows.length === 0) output.line("There is no login. Run `hookwright login`.");
    else
      printTable(
        output,
        ["", "PROFILE", "SERVER", "ACCOUNT", "CREDENTIAL"],
        rows.map(({ profile, server, account, credential, current }) => [
          current ? "*" : "",
          profile,
          server,
          account,
          credential === "key" ? "API key" : "console login",
        ]),
      );
    output.document(rows);
    return exitStatus.done;
  },
};

interface ProfileRow {
  readonly profile: string;
  readonly server: string;
  readonly account: string;
  readonly credential: "key" | "console";
  /** Whether commands use it without options. */
  readonly current: boolean;
}
