import type { ClientError } from "../client-error.ts";
import { isApiErrorCode } from "../error-codes.ts";
import type { Advice } from "../error-codes.ts";
import type { Page, PageMeta } from "../list.ts";
import type { Incoming, Outgoing } from "./exchange.ts";
import { isOutcomeUnknown, joinSentences, nameOperation, operationError } from "./operation-error.ts";
import { toExcerpt } from "./redact.ts";
import type { Redact } from "./redact.ts";

/** A successful response with a JSON object, or with a file. */
export interface Answer {
  readonly status: number;
  /** Empty for a file. */
  readonly body: object;
  readonly text: string;
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
  { redact, advice }: { readonly redact: Redact; readonly advice: Advice },
): Answer {
  const { status } = facts;
  const body = parseObject(text);
  const details = { ...facts, outcomeUnknown: isOutcomeUnknown(status, earlierUnknown) };
  const unexpected = (problem: string): ClientError => {
    const message = `${nameOperation(operation)}: the response with status ${status} has ${problem}. A proxy may have sent it, or baseUrl is not the address of the API.`;
    return operationError(operation, "unexpected_answer", message, details);
  };
  const isSuccessful = status >= 200 && status < 300;
  if (isSuccessful && operation.isFile === true) return { status, body: {}, text, unexpected };
  if (body === undefined) {
    const excerpt = toExcerpt(redact(text), maxExcerpt);
    throw unexpected(excerpt === "" ? "an empty body" : `a body that is not a JSON object: ${excerpt}`);
  }
  if (isSuccessful) return { status, body, text, unexpected };

  const refusal = readRefusal(body);
  if (refusal === undefined) throw unexpected("JSON that is not an error of this API");
  const message = toExcerpt(redact(refusal.message), maxMessage);
  throw isApiErrorCode(refusal.code)
    ? operationError(operation, refusal.code, joinSentences(message, advice[refusal.code]), details)
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

/** Returns the `data` of a successful response that is an array. @throws ClientError `unexpected_answer` */
export function readRows<Item>(answer: Answer): readonly Item[] {
  const { body } = answer;
  if (isSuccess<readonly Item[]>(body) && Array.isArray(body.data)) return body.data;
  throw answer.unexpected("JSON that is not a list of this API");
}

/** @throws ClientError `unexpected_answer` */
export function readMeta(answer: Answer): PageMeta {
  const { body } = answer;
  if ("meta" in body && isPageMeta(body.meta)) return body.meta;
  throw answer.unexpected("JSON that is not a page of this API");
}

/** @throws ClientError `unexpected_answer` */
export function readPage<Item>(answer: Answer): Page<Item> {
  return { data: readRows<Item>(answer), meta: readMeta(answer) };
}

/**
 * Returns the webhook of a creation. Only a created one has its secret.
 *
 * @throws ClientError `unexpected_answer`
 */
export function toCreation<Webhook extends object, Created extends Webhook & { signing_secret: string }>(
  answer: Answer,
):
  | { readonly created: true; readonly webhook: Created }
  | { readonly created: false; readonly webhook: Webhook } {
  if (answer.status !== 201) return { created: false, webhook: readData<Webhook>(answer) };
  const webhook = readData<Created>(answer);
  if (typeof webhook.signing_secret === "string") return { created: true, webhook };
  throw answer.unexpected("a new webhook without signing_secret");
}

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  /** The version of OpenAPI. */
  readonly openapi: string;
  readonly [field: string]: unknown;
}

/** @throws ClientError `unexpected_answer` */
export function readOpenApi(answer: Answer): OpenApiDocument {
  const { body } = answer;
  if ("openapi" in body && typeof body.openapi === "string") return { ...body, openapi: body.openapi };
  throw answer.unexpected("JSON that is not an OpenAPI document");
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
