import { rowOf, textOf } from "../api/fields.ts";
import { getAccount } from "../api/operations.ts";
import { exitStatus } from "../cli-error.ts";
import type { Command } from "../command-line/command.ts";
import { describeExpiry } from "../credentials/credentials-file.ts";
import { printFields } from "../render/render-rows.ts";

export const whoamiCommand: Command = {
  name: "whoami",
  description: "Show the account, the server and the credential in use",
  group: "Account",
  options: [],
  examples: [
    { command: "hookwright whoami", explanation: "Check the credential" },
    { command: "hookwright whoami --json | jq -r .account.id", explanation: "Use the account in a script" },
  ],
  async run(context) {
    const { server, token = "", source, stored, file } = await context.resolve();
    const api = await context.connect();
    const account = await getAccount(api);
    const { output } = context;
    const isKey = !token.startsWith("hwc_");
    const origin = { option: "--key", variable: "HOOKWRIGHT_API_KEY", file: file ?? "", none: "none" }[
      source
    ];
    const rows = [
      ["Account", `${textOf(account, "name") ?? ""} (${textOf(account, "id") ?? ""})`],
      ["E-mail", textOf(account, "email") ?? ""],
      ["Plan", textOf(rowOf(account, "plan") ?? {}, "name") ?? ""],
      ["Server", server],
      // The console shows the same beginning of a key.
      ["Credential", `${isKey ? `API key ${token.slice(0, 8)}…` : "console login"} from ${origin}`],
      ...(source === "file" && stored?.kind === "console" ? [["Expires", describeExpiry(stored)]] : []),
    ];
    printFields(output, rows);
    output.document({
      account,
      server,
      credential: {
        kind: isKey ? "key" : "console",
        source,
        expires_at: source === "file" ? (stored?.expiresAt ?? null) : null,
      },
    });
    return exitStatus.done;
  },
};
