import type { ClientError } from "../client-error.ts";
import { adviceFor, isApiErrorCode } from "../error-codes.ts";
import { isOutcomeUnknown } from "./is-outcome-unknown.ts";
import type { Incoming, Outgoing } from "./exchange.ts";
import { joinSentences, nameOperation, operationError } from "./operation-error.ts";
import type { Redact } from "./redact.ts";
import { toExcerpt } from "./to-excerpt.ts";

/** A JSON object that came with a status of success. */
export interface Answer {
  readonly status: number;
  readonly body: object;
  /** Makes the error for a body that is something else than this operation answers. */
  unexpected(problem: string): ClientError;
}

const longestExcerpt = 200;
/** The API's own messages are far shorter. */
const longestMessage = 2_000;

/** @throws ClientError the API's own code, `unknown_code`, `unexpected_answer` */
export function readAnswer(
  { operation, earlierUnknown }: Pick<Outgoing, "operation" | "earlierUnknown">,
  { text, ...facts }: Incoming,
  redact: Redact,
): Answer {
  const { status } = facts;
  const body = parseObject(text);
  const details = { ...facts, outcomeUnknown: isOutcomeUnknown(status, earlierUnknown) };
  const unexpected = (problem: string): ClientError => {
    const message = `${nameOperation(operation)}: answered ${status} with ${problem}. Something on the way has answered in the API's place, or baseUrl is not the API's address.`;
    return operationError(operation, "unexpected_answer", message, details);
  };
  if (body === undefined) {
    const excerpt = toExcerpt(redact(text), longestExcerpt);
    throw unexpected(excerpt === "" ? "an empty body" : `what is no JSON object: ${excerpt}`);
  }
  if (status >= 200 && status < 300) return { status, body, unexpected };

  const refusal = readRefusal(body);
  if (refusal === undefined) throw unexpected("JSON that is no error of this API");
  const message = toExcerpt(redact(refusal.message), longestMessage);
  throw isApiErrorCode(refusal.code)
    ? operationError(operation, refusal.code, joinSentences(message, adviceFor(refusal.code)), details)
    : operationError(
        operation,
        "unknown_code",
        `${toExcerpt(redact(refusal.code), longestExcerpt)}: ${message}`,
        details,
      );
}

function readRefusal(body: object): { readonly code: string; readonly message: string } | undefined {
  if (!("error" in body) || typeof body.error !== "object" || body.error === null) return undefined;
  const { error } = body;
  if (!("code" in error) || typeof error.code !== "string") return undefined;
  const message = "message" in error && typeof error.message === "string" ? error.message : "";
  return { code: error.code, message };
}

/** `JSON.parse` makes a field of `__proto__` like any other, which nothing here assigns to an object. */
function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
