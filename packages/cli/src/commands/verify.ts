import { isHeaderPrefix } from "@hookwright/domain";
import { SignatureError } from "@hookwright/signature/node";
import { diagnose } from "../check/diagnose.ts";
import type { Diagnosis } from "../check/diagnose.ts";
import { parseHeaders } from "../check/http-message.ts";
import { exitStatus, ownError } from "../cli-error.ts";
import type { Command } from "../command-line/command.ts";
import { parseSeconds, readInput } from "../command-line/read-values.ts";
import { paint } from "../terminal/output.ts";
import type { Output } from "../terminal/output.ts";
import { helpWidth, wrap } from "../terminal/wrap.ts";

const defaultToleranceSeconds = "300";

export const verifyCommand: Command = {
  name: "verify",
  description: "Check the signature of a request, and explain why it fails",
  group: "Develop",
  options: [
    {
      flag: "secret",
      value: "S",
      description: "The signing secret. May be repeated, or have several with commas",
      repeats: true,
    },
    { flag: "headers", value: "FILE", description: "Header lines, or a JSON object. - is standard input" },
    { flag: "body", value: "FILE", description: "The exact bytes of the body. - is standard input" },
    {
      flag: "header-prefix",
      value: "PREFIX",
      description:
        "The prefix of the signed headers, if the server has its own. Default: found in the headers",
    },
    { flag: "tolerance", value: "SECONDS", description: "The largest age of the timestamp. Default: 300" },
  ],
  common: ["json"],
  examples: [
    {
      command: 'hookwright verify --secret "$SECRET" --headers headers.txt --body body.json',
      explanation: "Check a request that was stored",
    },
    {
      command:
        'hookwright verify --secret "$SECRET" --headers headers.txt --body body.json --tolerance 86400',
      explanation: "Check a request of yesterday",
    },
  ],
  notes: [
    "This needs no server and no API key. The exit status is 0 if the signature verifies, otherwise 1.",
    "It tries the usual mistakes: a body that was parsed and serialised again, another encoding, changed line ends, white space in the secret, renamed or repeated headers, a wrong clock.",
  ],
  async run({ options, output, program, now }) {
    const secrets = options.getAll("secret").flatMap(listSecrets);
    const missing = ["secret", "headers", "body"].filter((flag) => !options.has(flag));
    if (missing.length > 0) {
      const names = missing.map((flag) => `--${flag}`).join(", ");
      throw ownError(
        "wrong_usage",
        `${names} ${missing.length === 1 ? "is" : "are"} missing. See \`hookwright verify --help\`.`,
      );
    }
    const headersFile = options.get("headers") ?? "";
    const bodyFile = options.get("body") ?? "";
    if (headersFile === "-" && bodyFile === "-")
      throw ownError("wrong_usage", "only one of --headers and --body can be standard input.");
    const headersText = new TextDecoder().decode(await readInput("headers", headersFile, program));
    const headers = parseHeaders(headersText, headersFile);
    const body = await readInput("body", bodyFile, program);
    const toleranceSeconds = parseSeconds("tolerance", options.get("tolerance") ?? defaultToleranceSeconds);
    const headerPrefix = options.get("header-prefix");
    if (headerPrefix !== undefined && !isHeaderPrefix(headerPrefix))
      throw ownError(
        "wrong_usage",
        `--header-prefix must be like X-Acme, but is ${JSON.stringify(headerPrefix)}.`,
      );
    let diagnosis: Diagnosis;
    try {
      diagnosis = diagnose({ secrets, headers, body, toleranceSeconds, now: now() / 1_000, headerPrefix });
    } catch (error) {
      if (!(error instanceof SignatureError)) throw error;
      throw ownError("wrong_usage", `--secret: ${error.message}.`, error);
    }
    printDiagnosis(output, diagnosis);
    output.document(diagnosis);
    return diagnosis.valid ? exitStatus.done : exitStatus.negative;
  },
};

/** Receivers keep several in one variable, with commas. A secret may have a comma, too. */
function listSecrets(text: string): readonly string[] {
  const parts = text.split(",").filter((each) => each.trim() !== "");
  return parts.length > 1 ? [...parts, text] : [text];
}

function printDiagnosis(
  output: Output,
  { valid, code, event, id, test, age_seconds, problems }: Diagnosis,
): void {
  if (valid) {
    output.line(paint("green", "✓"), ` The signature is valid.`);
    output.line(`  Event      ${event ?? ""}${test ? " (test)" : ""}`);
    output.line(`  Body id    ${id ?? ""}`);
    output.line(`  Signed     ${age_seconds ?? 0} s ago`);
    return;
  }
  output.line(paint("red", "✗"), ` The signature does not verify: ${code ?? ""}`);
  for (const { problem, message } of problems) {
    output.line();
    output.line("  ", paint("bold", problem));
    for (const line of wrap(message, helpWidth - 4)) output.line(`    ${line}`);
  }
}
