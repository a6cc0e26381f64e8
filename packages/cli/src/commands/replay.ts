import { findHeaderPrefix, hiddenHeaderValue, nameSignedHeaders, toCurl } from "@hookwright/domain";
import { createStandardSigner, SignatureError, signSync } from "@hookwright/signature/node";
import { numberOf, rowOf, textOf } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
import { attemptsOf, getDelivery } from "../api/operations.ts";
import { exitStatus, ownError } from "../cli-error.ts";
import { askFor } from "../command-line/ask-for.ts";
import type { Command, CommandContext } from "../command-line/command.ts";
import { givenSecret, parseTarget, secretVariable } from "../command-line/read-values.ts";
import { forward } from "../listen/forward.ts";
import { missingBody, splitLines } from "../render/render-rows.ts";

export const replayCommand: Command = {
  name: "replay",
  description: "Send a request again from this machine, signed now",
  group: "Develop",
  words: [{ name: "ID", description: "The id of the delivery: the value of X-Service-Delivery" }],
  options: [
    { flag: "to", value: "URL", description: "Where it is sent. Default: the URL of the webhook" },
    {
      flag: "secret",
      value: "S",
      description: `The signing secret (${secretVariable}). Without it, the command asks for it`,
    },
    { flag: "attempt", value: "N", description: "The attempt. Default: the newest one" },
    { flag: "curl", description: "Print a cURL command and send nothing" },
  ],
  examples: [
    {
      command: "hookwright replay dlv_… --to http://localhost:8080/webhooks",
      explanation: "Debug your program with a real delivery",
    },
    { command: "hookwright replay dlv_… --curl", explanation: "A command whose signature is valid now" },
  ],
  notes: [
    "The body is the one that was sent, byte by byte. The timestamp and the signature are new: receivers refuse those of an old request. The secret stays on this machine.",
    "The service does not know of it: it is no attempt of the delivery. `hookwright resend` makes the service send again. Own headers of the webhook are left out, because their values are not stored.",
    "The exit status is 1 if the response is not a 2xx.",
  ],
  async run(context) {
    const { words, options, output, connect, now, signal } = context;
    const [id = ""] = words;
    const to = options.get("to");
    const given = to === undefined ? undefined : parseTarget("to", to);
    const delivery = await getDelivery(await connect(), id);
    const attempt = chooseAttempt(delivery, id, options.get("attempt"));
    const request = signAgain(attempt, await readSecret(context), now());
    const target = given ?? parseTarget("to", textOf(delivery, "target_url") ?? "");
    if (options.has("curl")) {
      const command = toCurl(target.href, request);
      for (const line of splitLines(command)) output.line(line);
      output.document({ url: target.href, ...request, command });
      return exitStatus.done;
    }
    const result = await forward({ id, ...request }, { target, signal });
    const { status, durationMs, excerpt, error } = result;
    output.line(`${target.href} answered ${status ?? `nothing: ${error}`} after ${durationMs} ms.`);
    if (excerpt !== "") for (const line of splitLines(excerpt)) output.line(line);
    output.document({ url: target.href, status, duration_ms: durationMs, excerpt, error: error ?? null });
    return status !== null && status >= 200 && status < 300 ? exitStatus.done : exitStatus.negative;
  },
};

function chooseAttempt(delivery: Row, id: string, wanted: string | undefined): Row {
  const attempts = attemptsOf(delivery);
  const found =
    wanted === undefined
      ? attempts.at(-1)
      : attempts.find((attempt) => String(numberOf(attempt, "number")) === wanted);
  if (found !== undefined) return found;
  if (attempts.length === 0)
    throw ownError("wrong_usage", `${id} has no attempt yet, so there is no request to send again.`);
  throw ownError(
    "wrong_usage",
    `--attempt must be 1 to ${attempts.length}, but is ${JSON.stringify(wanted)}.`,
  );
}

async function readSecret(context: CommandContext): Promise<string> {
  const given = givenSecret(context);
  if (given !== undefined) return given;
  const answer = await askFor(context, "Signing secret", {
    instead: `--secret S, or ${secretVariable}`,
    hidden: true,
  });
  return answer.trim();
}

/** Replaced by what is signed now, or not stored. */
const signedHeader = /-(?:timestamp|signature)$/iu;

/** The body of an attempt and its headers, with a new timestamp and new signatures. */
function signAgain(attempt: Row, secret: string, now: number) {
  const request = rowOf(attempt, "request") ?? {};
  const missing = missingBody(attempt);
  if (missing !== undefined)
    throw ownError(
      "wrong_usage",
      `${missing} \`hookwright resend\` makes the service send the record as it is now.`,
    );
  const body = textOf(request, "body") ?? "";
  const timestamp = Math.floor(now / 1_000);
  const sent = rowOf(request, "headers") ?? {};
  const names = nameSignedHeaders(findHeaderPrefix(Object.keys(sent)));
  const headers: Record<string, string> = {};
  try {
    for (const [name, value] of Object.entries(sent))
      if (!signedHeader.test(name) && value !== hiddenHeaderValue) headers[name] = String(value);
    headers[names.timestamp] = String(timestamp);
    headers[names.signature] = signSync({ body, secret, timestamp });
    const standardId = headers["webhook-id"];
    if (standardId !== undefined) {
      headers["webhook-timestamp"] = String(timestamp);
      headers["webhook-signature"] = createStandardSigner(secret)({ id: standardId, body, timestamp });
    }
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    throw ownError("wrong_usage", `--secret: ${error.message}.`, error);
  }
  return { headers, body };
}
