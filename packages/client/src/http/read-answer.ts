import type { ClientError } from "../client-error.ts";
import { adviceFor, isApiErrorCode } from "../error-codes.ts";
import type { Page, PageMeta } from "../list.ts";
import type { Incoming, Outgoing } from "./exchange.ts";
import { isOutcomeUnknown, joinSentences, nameOperation, operationError } from "./operation-error.ts";
import { toExcerpt } from "./redact.ts";
import type { Redact } from "./redact.ts";

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

/**
 * Returns the `data` of a successful response. Only the envelope is checked, so fields of later API versions
 * are accepted.
 *
 * @throws ClientError `unexpected_answer`
 */
export function readData<Data extends object>(answer: Answer): Data {
  const { body } = answer;
  if (isSuccess<Data>(body) && !Array.isArray(body.data)) return body.data;
  throw answer.unexpected("JSON that is not a success of this API");
}

/** @throws ClientError `unexpected_answer` */
export function readPage<Item>(answer: Answer): Page<Item> {
  const { body } = answer;
  if (isSuccess<readonly Item[]>(body) && Array.isArray(body.data) && "meta" in body && isPageMeta(body.meta))
    return { data: body.data, meta: body.meta };
  throw answer.unexpected("JSON that is not a page of this API");
}

function isSuccess<Data>(body: object): body is { readonly success: true; readonly data: Data } {
  return (
    "success" in body &&
    body.success === true &&
    "data" in body &&
    typeof body.data === "object" &&
    body.data !== null
  );
}

function isPageMeta(meta: unknown): meta is PageMeta {
  return (
    typeof meta === "object" &&
    meta !== null &&
    "has_more" in meta &&
    "next_cursor" in meta &&
    // A page with more rows must have a cursor.
    (meta.has_more === true
      ? typeof meta.next_cursor === "string" && meta.next_cursor !== ""
      : meta.has_more === false && (meta.next_cursor === null || typeof meta.next_cursor === "string"))
  );
}
