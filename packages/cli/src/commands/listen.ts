import { readCustomHeaders } from "@hookwright/domain";
import type { ApiClient } from "../api/api-client.ts";
import { describeCause } from "../api/api-errors.ts";
import { textOf } from "../api/fields.ts";
import { getAccount } from "../api/operations.ts";
import { CliError, exitStatus, ownError } from "../cli-error.ts";
import type { Command, CommandContext } from "../command-line/command.ts";
import {
  givenSecret,
  parseEvents,
  parseHeaderOptions,
  parseTarget,
  secretVariable,
} from "../command-line/read-values.ts";
import { createQueue } from "../listen/forward-queue.ts";
import { forward } from "../listen/forward.ts";
import { signAgain, signedAt } from "../listen/received-delivery.ts";
import type { ReceivedDelivery } from "../listen/received-delivery.ts";
import { findListenSecret } from "../listen/listen-secret.ts";
import { printDelivery, printReplacement, printResult, printStart } from "../listen/print-events.ts";
import { createResultReporter } from "../listen/report-results.ts";
import { runListener } from "../listen/run-listener.ts";
import type { Listener } from "../listen/run-listener.ts";
import { paint } from "../terminal/output.ts";

/** As many as the service sends to one endpoint at a time when it starts. */
const concurrentForwards = 8;
/** Deliveries that wait in memory. The others wait on the server. */
const waitingForwards = 100;
/** Receivers refuse a signature after five minutes, and need some of this time themselves. */
const oldSignatureMs = 60_000;

export const listenCommand: Command = {
  name: "listen",
  description: "Receive events on this machine, and forward them to a URL",
  group: "Develop",
  options: [
    {
      flag: "forward",
      value: "URL",
      description: "Send each event to this URL. Without it, events are printed",
    },
    {
      flag: "events",
      value: "LIST",
      description: "Only these, such as order.* or order.paid,booking.created",
    },
    { flag: "site", value: "ID", description: "Only events of this site" },
    {
      flag: "header",
      value: "'NAME: VALUE'",
      description: "A header that each forwarded request also has. May be repeated, ten times at most",
      repeats: true,
    },
    {
      flag: "skip-verify",
      description: "Do not check the certificate of --forward, for example a self-signed one",
    },
    { flag: "print-secret", description: "Print the signing secret of this machine, and end" },
    {
      flag: "secret",
      value: "S",
      description: `Sign with this secret (${secretVariable}). Default: that of this machine`,
    },
    { flag: "json", description: "Print JSON: one document per line" },
  ],
  examples: [
    {
      command: "hookwright listen --forward http://localhost:8080/webhooks",
      explanation: "Forward all events to a local program",
    },
    {
      command: "export WEBHOOK_SECRET=$(hookwright listen --print-secret)",
      explanation: "The secret for your program. It is the same each day",
    },
    {
      command: "hookwright listen --forward https://shop.test/webhooks --skip-verify --header 'X-Tenant: 7'",
      explanation: "To a server with a self-signed certificate, with a header of your own",
    },
    {
      command: "hookwright listen --events 'order.*' --site site_shop",
      explanation: "Print the orders of one site",
    },
    {
      command: `hookwright listen --json | jq -r 'select(.type == "delivery") | .body'`,
      explanation: "Use the events in a script",
    },
  ],
  notes: [
    "Your program needs the signing secret to verify the events. An account has one on each machine, in the folder of the credentials. Delete listen-secrets.json there to get a new one.",
    "Other users of this machine can read the values of --secret and --header while the command runs.",
    "Press r to send the last event again, with a new signature, and q or Ctrl-C to stop. After a lost connection the command continues without losing events, if the connection is back within ten minutes.",
    "While a slow program lets 100 events wait, the others wait on the server. It keeps 1,000 events or 4 MiB for all listeners of an account, drops the oldest, and then a warning says so. An event that is older than a minute is signed again before it is forwarded.",
    "The console shows the results of at most 30 events a minute.",
  ],
  async run(context) {
    const { options, output, program } = context;
    const forwardTo = options.get("forward");
    const target = forwardTo === undefined ? undefined : parseTarget("forward", forwardTo);
    if (options.has("print-secret")) return printSecret(context);
    const headers = readHeaders(options.getAll("header"));
    const skipVerify = options.has("skip-verify");
    const flag = ["header", "skip-verify"].find((each) => options.has(each));
    if (target === undefined && flag !== undefined)
      throw ownError("wrong_usage", `--${flag} is about forwarded requests: give --forward URL too.`);
    const events = parseEvents(options.get("events"));
    const site = options.get("site");
    const api = await context.connect();
    const secret =
      givenSecret(context) ??
      (await findSecret(context, api).catch((error: unknown) => {
        if (!(error instanceof CliError) || error.code !== "file_unusable") throw error;
        output.remark(`hookwright: warning: ${error.message} It ends with the command.`);
        return undefined;
      }));
    if (skipVerify) output.remark(`hookwright: warning: the certificate of ${target?.host} is not checked.`);
    const reporter = createResultReporter({ api, remark: output.remark, now: context.now });
    const quit = new AbortController();
    const signal = AbortSignal.any([context.signal, quit.signal]);
    // A listener without a reader would take one of the ten places of the account.
    program.onOutputEnd(() => quit.abort());

    let listener: Listener = { id: "", signingSecret: "", expiresAt: undefined };
    let last: ReceivedDelivery | undefined;
    const queue = createQueue({ running: concurrentForwards, waiting: waitingForwards });

    const signNow = (delivery: ReceivedDelivery): ReceivedDelivery =>
      signAgain(delivery, { secret: listener.signingSecret, now: context.now() });
    const handle = async (received: ReceivedDelivery): Promise<void> => {
      if (signal.aborted) return;
      const receivedAt = context.now();
      if (target === undefined) return printDelivery(output, received, receivedAt);
      const { id } = listener;
      const hasWaited = receivedAt - (signedAt(received) ?? receivedAt) > oldSignatureMs;
      const delivery = hasWaited ? signNow(received) : received;
      const result = await forward(delivery, { target, headers, skipVerify, signal });
      // A request that the end of the command aborts has no result.
      if (signal.aborted && result.status === null) return;
      printResult(output, delivery, result, receivedAt);
      reporter.report(id, delivery.id, result);
    };
    const repeat = (): void => {
      if (last === undefined) return output.remark("There is no event to repeat yet.");
      if (queue.isFull) return output.remark("hookwright: too many events are waiting to repeat one.");
      const delivery = signNow(last);
      output.line(paint("dim", "Repeating the last event."));
      void queue.add(() => handle(delivery));
    };
    const stopKeys = program.keyboard.isTerminal
      ? program.keyboard.onKey((key) => {
          if (key === "r" || key === "R") repeat();
          if (key === "q" || key === "Q") quit.abort();
        })
      : () => {};
    try {
      await runListener({
        api,
        events,
        site,
        secret,
        signal,
        sleep: context.sleep,
        onListener(created, isFirst) {
          listener = created;
          const shown = created.signingSecret === secret ? undefined : created.signingSecret;
          if (!isFirst) return printReplacement(output, created.id, shown);
          const isGiven = givenSecret(context) !== undefined;
          printStart(context, { id: created.id, secret: shown, isGiven, target, events, site });
        },
        onDelivery(delivery) {
          last = delivery;
          return queue.add(() => handle(delivery));
        },
        onDropped(message) {
          output.remark(`hookwright: warning: ${message}`);
          output.row({ type: "dropped", message });
        },
        onLost: (reason, waitMs) =>
          output.remark(
            `hookwright: ${trimStop(reason)}. Connecting again in ${(waitMs / 1_000).toFixed(1)} s.`,
          ),
        onReconnected: () => output.remark("hookwright: connected again."),
        onNotDeleted: (reason) =>
          output.remark(
            `hookwright: the listener could not be deleted: ${trimStop(reason)}. The server removes it after ten minutes.`,
          ),
        beforeDelete: async () => {
          await queue.finished();
          await reporter.flush();
        },
      });
    } finally {
      stopKeys();
    }
    return exitStatus.done;
  },
};

/**
 * The headers of `--header`, with the limits of the own headers of a webhook.
 *
 * @throws {CliError} `wrong_usage`
 */
function readHeaders(texts: readonly string[]): Readonly<Record<string, string>> {
  const headers = parseHeaderOptions(texts);
  const checked = readCustomHeaders(headers);
  if (checked.ok) return headers;
  throw ownError("wrong_usage", `--header: ${checked.problems.join("; ")}.`);
}

/**
 * Undefined without a folder for it: then each listener has one of its own.
 *
 * @throws {CliError} `file_unusable` if it cannot be kept
 */
async function findSecret(context: CommandContext, api: ApiClient): Promise<string | undefined> {
  const { folder } = await context.resolve();
  const account = textOf(await getAccount(api), "id");
  if (folder === undefined || account === undefined) return undefined;
  return findListenSecret({ folder, server: api.server, account }).catch((error: unknown) => {
    throw ownError("file_unusable", `the signing secret cannot be kept: ${describeCause(error)}.`, error);
  });
}

async function printSecret(context: CommandContext): Promise<number> {
  if (context.options.has("secret"))
    throw ownError("wrong_usage", "--print-secret prints the secret of this machine. Leave out --secret.");
  const secret = await findSecret(context, await context.connect());
  if (secret === undefined)
    throw ownError(
      "file_unusable",
      "there is no folder for a secret. Set HOME or XDG_CONFIG_HOME, or use --secret.",
    );
  context.output.line(secret);
  context.output.document({ signing_secret: secret });
  return exitStatus.done;
}

/** Reasons become part of a sentence. */
function trimStop(reason: string): string {
  return reason.replace(/\.$/u, "");
}
