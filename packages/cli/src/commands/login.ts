import { hostname } from "node:os";
import { textOf, rowOf } from "../api/fields.ts";
import { getAccount } from "../api/operations.ts";
import { exitStatus, ownError } from "../cli-error.ts";
import { askFor } from "../command-line/ask-for.ts";
import type { Command, CommandContext } from "../command-line/command.ts";
import { endLogin } from "../command-line/end-login.ts";
import { describeExpiry, writeLogins } from "../credentials/credentials-file.ts";
import type { StoredLogin } from "../credentials/credentials-file.ts";
import { isUnencrypted } from "../credentials/resolve.ts";

export const loginCommand: Command = {
  name: "login",
  description: "Store an API key, or sign in to the console",
  group: "Account",
  options: [
    {
      flag: "email",
      value: "EMAIL",
      description: "Sign in with this address. The password is asked for, or read from HOOKWRIGHT_PASSWORD",
    },
    { flag: "key", value: "KEY", description: "Store this API key" },
  ],
  examples: [
    { command: "hookwright login", explanation: "Asks for an e-mail address or an API key" },
    {
      command: "hookwright login --server https://hooks.example.com --key hwk_…",
      explanation: "Store an API key",
    },
    {
      command: "hookwright login --email ada@example.com",
      explanation: "Sign in. The password is asked for",
    },
    {
      command: "HOOKWRIGHT_PASSWORD=… hookwright login --email ada@example.com",
      explanation: "Sign in from a script",
    },
  ],
  notes: [
    "The credential is stored in $XDG_CONFIG_HOME/hookwright/credentials.json, by default below ~/.config. Only you can read the file. It is used only for the server that it was stored for.",
    "An API key sees the webhooks that it created itself. A login sees all webhooks of the account.",
    "A login ends 90 days after its last use. The settings of the console list it with the name of this machine, and can end it.",
  ],
  async run(context) {
    const { output } = context;
    const { server, stored, file, logins } = await context.resolve({ usesVariableKey: false });
    if (file === undefined)
      throw ownError(
        "file_unusable",
        "there is no home folder for the credential. Set HOME or XDG_CONFIG_HOME. Or give --key or HOOKWRIGHT_API_KEY to each command, which then needs no login.",
      );
    if (isUnencrypted(server))
      output.remark(
        `hookwright: warning: ${server} is not encrypted. Others can read the credential. Use https.`,
      );
    const key = context.options.get("key")?.trim();
    if (key !== undefined && context.options.has("email"))
      throw ownError("wrong_usage", "--key and --email exclude each other. Give one of them.");
    const login = key === undefined ? await ask(context, server) : await checkKey(context, server, key);
    const byServer = new Map(logins.byServer).set(server, login);
    await writeLogins(file, { current: server, byServer });
    await endLogin(context, server, stored);
    output.line(`Logged in to ${server} as ${login.account}.`);
    output.line(`The credential is in ${file}.`);
    if (login.kind === "console") output.line(`The login expires ${describeExpiry(login)}.`);
    output.document({
      server,
      account: login.account,
      credential: login.kind,
      expires_at: login.expiresAt ?? null,
      file,
    });
    return exitStatus.done;
  },
};

async function checkKey(context: CommandContext, server: string, key: string): Promise<StoredLogin> {
  const account = await getAccount(context.connectTo(server, key));
  return { token: key, kind: "key", expiresAt: undefined, account: textOf(account, "name") ?? "" };
}

/** API keys and console tokens. */
const secretForm = /^\s*hw[kc]_/u;

/** Asks for what the options do not give. */
async function ask(context: CommandContext, server: string): Promise<StoredLogin> {
  const given = context.options.get("email");
  if (given !== undefined) return signIn(context, server, given);
  const answer = await askFor(context, "E-mail or API key", {
    instead: "--key KEY, or --email EMAIL",
    isSecret: (typed) => secretForm.test(typed),
  });
  if (secretForm.test(answer)) return checkKey(context, server, answer.trim());
  if (answer.includes("@")) return signIn(context, server, answer);
  throw ownError(
    "wrong_usage",
    "this is neither an e-mail address nor an API key, which begins with hwk_. Run the command again.",
  );
}

async function signIn(context: CommandContext, server: string, email: string): Promise<StoredLogin> {
  const variable = context.program.environment["HOOKWRIGHT_PASSWORD"] ?? "";
  const password =
    variable === ""
      ? await askFor(context, "Password", { instead: "HOOKWRIGHT_PASSWORD, or --key KEY", hidden: true })
      : variable;
  const session = await context.connectTo(server, undefined).send({
    method: "POST",
    path: "/console/api/session",
    body: { email: email.trim(), password, machine: nameMachine() },
  });
  const token = textOf(session, "token");
  if (token === undefined)
    throw ownError("server_unreachable", `${server} answered the sign-in without a token. Check --server.`);
  return {
    token,
    kind: "console",
    // The login of a machine is extended with each use.
    expiresAt: textOf(session, "machine") === undefined ? textOf(session, "expires_at") : undefined,
    account: textOf(rowOf(session, "account") ?? {}, "name") ?? email,
  };
}

/** For the list of the console. */
function nameMachine(): string {
  const name = hostname()
    .replaceAll(/[^\x20-\x7e]/gu, "")
    .trim()
    .slice(0, 100);
  return name === "" ? "unknown" : name;
}
