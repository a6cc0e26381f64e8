import {
  explainHeaders,
  explainLength,
  findHeaderPrefix,
  listBodyVariants,
  nameSignedHeaders,
  parseBody,
} from "@hookwright/domain";
import type { HeaderLines, Problem } from "@hookwright/domain";
import { signSync, SignatureError, verifySync } from "@hookwright/signature/node";
import { isRow } from "../api/fields.ts";
import { listSecretVariants } from "./secret-variants.ts";

export interface DiagnoseOptions {
  readonly secrets: readonly string[];
  readonly headers: HeaderLines;
  readonly body: Uint8Array;
  readonly toleranceSeconds: number;
  /** Unix seconds. */
  readonly now: number;
  /** The prefix of the names of the signed headers. @default that of the headers */
  readonly headerPrefix?: string | undefined;
}

type Known = DiagnoseOptions & { readonly headerPrefix: string };

export interface Diagnosis {
  readonly valid: boolean;
  /** The code of `SignatureError`. Null if the delivery is valid. */
  readonly code: string | null;
  /** The name and the id of the event. Null if the signature does not match. */
  readonly event: string | null;
  readonly id: string | null;
  readonly test: boolean;
  /** How much the timestamp is behind the clock. Negative if it is ahead. Null without a timestamp. */
  readonly age_seconds: number | null;
  /** The reasons, most important first. Empty if the delivery is valid. */
  readonly problems: readonly Problem[];
}

/**
 * Verifies a delivery, and finds out why it fails.
 *
 * @throws {SignatureError} `no_secret`, `invalid_option`
 */
export function diagnose(given: DiagnoseOptions): Diagnosis {
  const { headers, now, headerPrefix = findHeaderPrefix(headers.map(([name]) => name)) } = given;
  const options: Known = { ...given, headerPrefix };
  const timestampName = nameSignedHeaders(headerPrefix).timestamp.toLowerCase();
  const timestamp = headers.find(([name]) => name.toLowerCase() === timestampName)?.[1].trim() ?? "";
  const age = /^\d+$/u.test(timestamp) ? Math.round((now - Number(timestamp)) * 10) / 10 : null;
  const outcome = verify(options);
  if (!(outcome instanceof SignatureError)) {
    const { event, id, test = false } = outcome;
    return { valid: true, code: null, event, id, test, age_seconds: age, problems: [] };
  }
  const { code, message } = outcome;
  if (code === "no_secret" || code === "invalid_option") throw outcome;
  const refused = { valid: false, code, event: null, id: null, test: false, age_seconds: age };
  const ofHeaders = explainHeaders(headers, headerPrefix);
  if (code === "missing_header" || code === "malformed_header") {
    const problems =
      ofHeaders.length > 0 ? ofHeaders : [{ problem: code, message: `${capitalise(message)}.` }];
    return { ...refused, problems };
  }
  if (code === "timestamp_outside_tolerance")
    return { ...refused, problems: explainTime(options, age, ofHeaders) };
  if (code === "signature_mismatch")
    return { ...refused, problems: [...ofHeaders, ...explainMismatch(options, timestamp)] };
  return { ...refused, problems: [{ problem: code, message: `${capitalise(message)}.` }] };
}

/** `signSync` refuses longer ones: they cannot be seconds. */
const longestTimestamp = 11;

function verify({ secrets, headers, body, toleranceSeconds, now, headerPrefix }: Known) {
  try {
    return verifySync({ secrets, headers, body, toleranceSeconds, now, headerPrefix });
  } catch (error) {
    if (error instanceof SignatureError) return error;
    throw error;
  }
}

function explainTime(options: Known, age: number | null, ofHeaders: readonly Problem[]): readonly Problem[] {
  const skew = age ?? 0;
  const seconds = Math.abs(skew).toLocaleString("en-GB");
  const limit = `The limit is ${options.toleranceSeconds} s.`;
  // 2^33 s is the year 2242: such a number is in milliseconds.
  const isMilliseconds = skew < -(2 ** 33);
  const clock: Problem = {
    problem: "timestamp_outside_tolerance",
    message: isMilliseconds
      ? `${nameSignedHeaders(options.headerPrefix).timestamp} is in milliseconds. The service signs seconds: something else sent this.`
      : skew > 0
        ? `The timestamp is ${seconds} s behind the clock of this machine. ${limit} The delivery is old, or the clock is fast. To check an old delivery, use --tolerance ${Math.ceil(skew)}.`
        : `The timestamp is ${seconds} s ahead of the clock of this machine. ${limit} The clock of this machine is slow, or that of the sender is fast. To check anyway, use --tolerance ${Math.ceil(-skew)}.`,
  };
  if (isMilliseconds) return [clock];
  const rest = diagnose({ ...options, toleranceSeconds: Number.MAX_SAFE_INTEGER });
  if (rest.valid)
    return [clock, { problem: "signature_matches", message: "Apart from that, the signature matches." }];
  return [clock, ...ofHeaders, ...rest.problems.filter((each) => !ofHeaders.includes(each))];
}

function explainMismatch(
  { secrets, headers, body, headerPrefix }: Known,
  timestamp: string,
): readonly Problem[] {
  const names = nameSignedHeaders(headerPrefix);
  const signatures = new Set(
    headers
      .filter(([name]) => name.toLowerCase() === names.signature.toLowerCase())
      .flatMap(([, value]) => value.split(","))
      .map((value) => value.trim().toLowerCase()),
  );
  if (body.length === 0) {
    return [
      {
        problem: "body_empty",
        message: "The body is empty. Something read it before, or it was never read. Read the raw body once.",
      },
    ];
  }
  if (timestamp.length > longestTimestamp) {
    return [
      {
        problem: "malformed_header",
        message: `${names.timestamp} has more than ${longestTimestamp} digits. The service never sends that.`,
      },
    ];
  }
  const ofLength = explainLength(headers, body);
  for (const secret of secrets) {
    for (const variant of listBodyVariants(body)) {
      if (!signatures.has(signSync({ body: variant.body, secret, timestamp }))) continue;
      return [
        {
          problem: "body_changed",
          message: `The signature matches the body ${variant.description}. ${variant.advice}`,
        },
      ];
    }
    for (const { problem, message, sign } of listSecretVariants(secret)) {
      if (signatures.has(sign(body, timestamp))) return [{ problem, message }];
      for (const variant of listBodyVariants(body)) {
        if (!signatures.has(sign(variant.body, timestamp))) continue;
        return [
          { problem, message },
          {
            problem: "body_changed",
            message: `The signature also needs the body ${variant.description}. ${variant.advice}`,
          },
        ];
      }
    }
  }
  if (ofLength.length > 0) return ofLength;
  return [explainUnknown(secrets, body)];
}

function explainUnknown(secrets: readonly string[], body: Uint8Array): Problem {
  const ofSecret =
    "It belongs to another webhook or to another listener, or it was rotated. Copy the whole whsec_ string again, or create another in the console.";
  if (secrets.some((secret) => /[<>…]|SIGNING_SECRET/u.test(secret))) {
    return {
      problem: "wrong_secret",
      message: "The secret is the placeholder of the documentation. Use the secret of the webhook.",
    };
  }
  if (isAsSent(body)) {
    return {
      problem: "wrong_secret",
      message: `The body looks as the service sends it, so the secret is probably wrong. ${ofSecret}`,
    };
  }
  return {
    problem: "wrong_secret",
    message: `No usual change of the body or of the secret explains the signature. Either the secret is wrong, or the content of the body was changed. ${ofSecret}`,
  };
}

/** Whether the body is an envelope in compact JSON, with nothing before, between or after. */
function isAsSent(body: Uint8Array): boolean {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
  const value = parseBody(text);
  const forms = ["id,event,project,data", "type,timestamp,data,id,project"];
  return isRow(value) && JSON.stringify(value) === text && forms.includes(Object.keys(value).join());
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
