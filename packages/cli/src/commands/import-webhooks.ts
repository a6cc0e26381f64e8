import { createReadStream } from "node:fs";
import type { ApiClient } from "../api/api-client.ts";
import { textOf } from "../api/fields.ts";
import { readEvents } from "../api/read-events.ts";
import { CliError, exitStatus, messageOf, ownError } from "../cli-error.ts";
import type { Command, CommandContext } from "../command-line/command.ts";
import { connectAsHost } from "../command-line/connect-as-host.ts";
import { readTable } from "../import/read-table.ts";
import { toWebhook } from "../import/to-webhook.ts";
import type { ImportedWebhook, ImportDefaults } from "../import/to-webhook.ts";
import type { Program } from "../terminal/program.ts";

const largestFile = 64 * 1024 * 1024;
const mostLines = 100_000;
const shownProblems = 100;
/** Refusals of the status for "no server" that are about one account. */
const codesOfAccount = new Set(["account_unavailable", "plan_required"]);

interface Problem {
  readonly line: number;
  readonly problem: string;
}

type Line = ImportedWebhook & { readonly line: number };

export const importWebhooksCommand: Command = {
  name: "import-webhooks",
  description: "Create the webhooks that a file lists, with their secrets",
  group: "Operator",
  words: [{ name: "FILE", description: "CSV or NDJSON. - is standard input" }],
  common: ["server", "json"],
  options: [
    { flag: "account", value: "ID", description: "The account of lines that name none" },
    { flag: "paused", description: "Create them paused: they send nothing until they are resumed" },
    { flag: "dry-run", description: "Only check the file, its events and its accounts" },
    {
      flag: "server",
      value: "URL",
      description: "The server (HOOKWRIGHT_SERVER). Default: http://127.0.0.1:3000, whatever the last login",
    },
  ],
  examples: [
    {
      command: "hookwright import-webhooks webhooks.csv --account acc_1 --dry-run",
      explanation: "Check a file",
    },
    {
      command: "hookwright import-webhooks webhooks.csv --account acc_1 --paused",
      explanation: "Create what does not exist yet. It may be run again",
    },
  ],
  notes: [
    "The first line of a CSV file, with commas, semicolons or tabs, names the fields: account_id, target_url (or url), events, signing_secret (or secret), headers, project_id (or site), name, body_form. Several events have a blank, a comma or a semicolon between, and headers are a JSON object. A line of NDJSON is an object with the same fields.",
    "All lines are checked before the first webhook is created. A webhook with the same URL and events is unchanged, and keeps its secret. At most 100,000 lines, and 64 MiB.",
    "The token is in HOOKWRIGHT_HOST_TOKEN, or in the file that HOOKWRIGHT_HOST_TOKEN_FILE names. It needs the scopes manage and read. No secret is printed.",
    "The exit status is 1 if a line is refused.",
  ],
  async run(context) {
    const { options, output, words } = context;
    const rows = readTable(await readFileText(words[0] ?? "", context.program));
    if (rows.length > mostLines)
      throw ownError("wrong_usage", `the file has more than ${mostLines} lines. Split it.`);
    if (rows.length === 0) throw ownError("wrong_usage", "the file has no webhooks.");
    const api = await connectAsHost(context);
    const { events, headerPrefix } = await readEvents(api);
    const { lines, problems } = checkRows(rows, {
      account: options.get("account"),
      paused: options.has("paused"),
      events: events.map(({ event }) => event),
      headerPrefix,
    });
    if (problems.length === 0) problems.push(...(await checkAccounts(api, lines)));
    const isDry = options.has("dry-run");
    const counts = { created: 0, unchanged: 0 };
    if (problems.length > 0) output.remark("hookwright: nothing was created, because of these lines:");
    else if (!isDry) problems.push(...(await createAll(context, api, lines, counts)));
    for (const { line, problem } of problems.slice(0, shownProblems))
      output.remark(`line ${line}: ${problem}.`);
    if (problems.length > shownProblems) output.remark(`… and ${problems.length - shownProblems} more.`);
    output.document({ lines: rows.length, ...counts, problems, dry_run: isDry });
    const valid = lines.length === 1 ? "1 line is valid" : `${lines.length} lines are valid`;
    if (isDry && problems.length === 0) output.line(`${valid}. Nothing was created.`);
    else output.line(`${counts.created} created, ${counts.unchanged} unchanged, ${problems.length} refused.`);
    return problems.length === 0 ? exitStatus.done : exitStatus.negative;
  },
};

function checkRows(rows: ReturnType<typeof readTable>, defaults: ImportDefaults) {
  const lines: Line[] = [];
  const problems: Problem[] = [];
  const firstLines = new Map<string, number>();
  for (const row of rows) {
    const { line } = row;
    const webhook = "problem" in row ? row : toWebhook(row.fields, defaults);
    if ("problem" in webhook) {
      problems.push({ line, problem: webhook.problem });
      continue;
    }
    const { accountId, input } = webhook;
    const key = JSON.stringify([
      accountId,
      new URL(input.target_url).href,
      [...new Set(input.events)].toSorted(),
    ]);
    const first = firstLines.get(key);
    if (first !== undefined) problems.push({ line, problem: `has the URL and the events of line ${first}` });
    else {
      firstLines.set(key, line);
      lines.push({ ...webhook, line });
    }
  }
  return { lines, problems };
}

/** Reads each account once. */
async function checkAccounts(api: ApiClient, lines: readonly Line[]): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const known = new Map<string, string | undefined>();
  for (const { line, accountId } of lines) {
    if (!known.has(accountId)) {
      const path = `/host/v1/accounts/${encodeURIComponent(accountId)}`;
      known.set(accountId, await refusalOf(() => api.send({ method: "GET", path })));
    }
    const refusal = known.get(accountId);
    if (refusal !== undefined)
      problems.push({ line, problem: `account ${JSON.stringify(accountId)}: ${refusal}` });
  }
  return problems;
}

/** In order, so that an interrupted import has created a beginning of the file. */
async function createAll(
  { output, now, signal }: CommandContext,
  api: ApiClient,
  lines: readonly Line[],
  counts: { created: number; unchanged: number },
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  let shownAt = now();
  for (const [index, { line, accountId, input }] of lines.entries()) {
    if (now() - shownAt >= 1_000) {
      shownAt = now();
      output.remark(`${index} of ${lines.length}`);
    }
    const path = `/host/v1/accounts/${encodeURIComponent(accountId)}/webhooks`;
    const create = async (): Promise<void> => {
      signal.throwIfAborted();
      const webhook = await api.send({ method: "POST", path, body: input });
      // Only the response to a creation has the secret.
      if (textOf(webhook, "signing_secret") !== undefined) counts.created += 1;
      else if ((webhook["project_id"] ?? undefined) !== input.project_id)
        problems.push({
          line,
          problem: `${textOf(webhook, "id") ?? "a webhook"} has this URL and these events, but another site`,
        });
      else counts.unchanged += 1;
    };
    const refusal = await refusalOf(create).catch((error: unknown) => {
      output.remark(`hookwright: stopped at line ${line}: ${counts.created} created. Run it again to go on.`);
      throw error;
    });
    if (refusal !== undefined) problems.push({ line, problem: refusal });
  }
  return problems;
}

/** Returns why the server refuses it, without the full stop. An error that is not about this line is thrown. */
async function refusalOf(send: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await send();
    return undefined;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const isOfAll = error.code === "forbidden" || error.exitStatus === exitStatus.noServer;
    if (isOfAll && !codesOfAccount.has(error.code)) throw error;
    return error.message.replace(/\.$/u, "");
  }
}

async function readFileText(file: string, program: Program): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const part of file === "-" ? program.read() : createReadStream(file)) {
      parts.push(part);
      length += part.length;
      if (length > largestFile) break;
    }
    if (length <= largestFile) return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
  } catch (error) {
    throw ownError("file_unusable", `${file} cannot be read: ${messageOf(error)}.`, error);
  }
  throw ownError("file_unusable", `${file} is larger than 64 MiB. Split it.`);
}
