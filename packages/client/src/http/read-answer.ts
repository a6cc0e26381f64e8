import type { ClientError } from "../client-error.ts";
import { adviceFor, isApiErrorCode } from "../error-codes.ts";
import type { Incoming, Outgoing } from "./exchange.ts";
import { isOutcomeUnknown, joinSentences, nameOperation, operationError } from "./operation-error.ts";
import type { Redact } from "./redact.ts";
import { toExcerpt } from "./to-excerpt.ts";

/** A successful response with a JSON object. */
export interface Answer {
  readonly status: number;
  readonly body: object;
  /** Creates the error for a body that does not match the operation. */
  unexpected(problem: string): ClientError;
}

const maxExcerpt = 200;
/** The API's messages are much shorter. */
const maxMessage = 2_000;

/** @throws ClientError the API's code, `unknown_code`, `unexpected_answer` */
export function readAnswer(
  { operation, earlierUnknown }: Pick<Outgoing, "operation" | "earlierUnknown">,
  { text, ...facts }: Incoming,
  redact: Redact,
): Answer {
  const { status } = facts;
  const body = parseObject(text);
  const details = { ...facts, outcomeUnknown: isOutcomeUnknown(status, earlierUnknown) };
  const unexpected = (problem: string): ClientError => {
    const message = `${nameOperation(operation)}: the response with status ${status} has ${problem}. A proxy may have sent it, or baseUrl is not the address of the API.`;
    return operationError(operation, "unexpected_answer", message, details);
  };
  if (body === undefined) {
    const excerpt = toExcerpt(redact(text), maxExcerpt);
    throw unexpected(excerpt === "" ? "an empty body" : `a body that is not a JSON object: ${excerpt}`);
  }
  if (status >= 200 && status < 300) return { status, body, unexpected };

  const refusal = readRefusal(body);
  if (refusal === undefined) throw unexpected("JSON that is not an error of this API");
  const message = toExcerpt(redact(refusal.message), maxMessage);
  throw isApiErrorCode(refusal.code)
    ? operationError(operation, refusal.code, joinSentences(message, adviceFor(refusal.code)), details)
    : operationError(
        operation,
        "unknown_code",
        `${toExcerpt(redact(refusal.code), maxExcerpt)}: ${message}`,
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

/** `JSON.parse` treats `__proto__` as an ordinary field, and nothing here assigns it to an object. */
function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
