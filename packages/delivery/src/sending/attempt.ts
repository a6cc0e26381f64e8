import { bodyId, hiddenHeaderValue, nameSignedHeaders } from "@hookwright/domain";
import type { CustomHeader, KeptBodies } from "@hookwright/domain";
import { toLoggedAttempt } from "../storage/delivery-row.ts";
import type { AttemptRow, BodySource, DeliveryRow, ExtraHeadersRow } from "../storage/delivery-row.ts";
import { DeliveryError } from "../delivery-error.ts";
import { maskHeaderValues, maskSecrets } from "../log/mask-secrets.ts";
import type { Answer, HeaderList } from "../transport/answer.ts";
import { toUnsentFailure } from "../transport/failure.ts";
import type { Transport } from "../transport/transport.ts";

/** Signs `{timestamp}.{body}` and returns the value of `X-Service-Signature`, or what the server names it. */
export type Sign = (message: { readonly body: string; readonly timestamp: number }) => string;

/** Signs `{id}.{timestamp}.{body}` and returns the value of `webhook-signature` (Standard Webhooks). */
export type SignStandard = (message: {
  readonly id: string;
  readonly body: string;
  readonly timestamp: number;
}) => string;

/** Headers that an option of the server, or the owner of the webhook, adds to those of the specification. */
export interface ExtraHeaders {
  /** Absent: no Standard Webhooks headers are sent. */
  readonly signStandard?: SignStandard | undefined;
  /** The prefix of the names of the signed headers. @default "X-Service" */
  readonly headerPrefix?: string | undefined;
  /** The owner's own headers, in order. Their values are secrets. */
  readonly custom?: readonly CustomHeader[] | undefined;
  /** What the log hides if the response contains it: parts of the owner's own headers, and signing secrets. @default nothing */
  readonly secrets?: readonly string[] | undefined;
}

export interface AttemptInput {
  readonly accountId: string;
  readonly delivery: Pick<
    DeliveryRow,
    "id" | "webhook_id" | "event" | "record_id" | "kind" | "attempts" | "trace_parent"
  >;
  /** The webhook's URL as it is now. */
  readonly targetUrl: string;
  readonly body: string;
  /** Restores the body later, and is stored in its place. Without it the body itself is stored. */
  readonly source?: BodySource | undefined;
  /** Until when the log has the body and the excerpt of the response. `until_accepted` needs a body without a source. @default "all" */
  readonly keptBodies?: KeptBodies | undefined;
  readonly sign: Sign;
  readonly extraHeaders?: ExtraHeaders | undefined;
  /** Ends the attempt early. It then has no result, and the promise rejects with the reason. @default it ends by itself */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Called when an attempt starts, for traces. It returns a function that is called once when the attempt has ended, without a result
 * if none could be made. Neither may throw.
 */
export type TraceAttempt = (input: AttemptInput) => ((attempt: AttemptRow | undefined) => void) | undefined;

export interface AttemptOptions {
  readonly transport: Transport;
  readonly timeoutMs: number;
  /** Milliseconds of the wall clock. Receivers compare the timestamp with theirs. */
  readonly wallClock: () => number;
  /** @default attempts are not traced */
  readonly traceAttempt?: TraceAttempt | undefined;
  /**
   * Called if nothing can be sent, such as without the proxy. The attempt then fails with a sentence for the owner of the webhook.
   * For tests, which nobody repeats. @default the attempt rejects with the error
   */
  readonly onUnsent?: ((error: DeliveryError, input: AttemptInput) => void) | undefined;
}

/**
 * Makes one attempt of a delivery (contract: Deliveries): builds the headers, signs the exact bytes, sends them, and returns the
 * result. The recorder decides when the next attempt is due.
 *
 * It is not async: thousands of attempts wait at once, and each would hold the frame of an async function.
 */
export function runAttempt(input: AttemptInput, options: AttemptOptions): Promise<AttemptRow> {
  try {
    const { accountId, delivery, targetUrl, body, sign, source, keptBodies, extraHeaders, signal } = input;
    const { transport, timeoutMs } = options;
    const startedAt = options.wallClock();
    const timestamp = toSignedTime(startedAt);
    const signature = sign({ body, timestamp });
    const extra = extraHeaders && toExtraRow(extraHeaders, { id: toWebhookId(delivery), body, timestamp });
    const headerLines =
      renderRequestHeaders(delivery, { started_at: startedAt, signature, extra }) +
      renderCustomHeaders(extraHeaders?.custom);
    // Nothing else of the request is kept in memory while it waits for its response.
    const number = delivery.attempts.length + 1;
    const kept = source ?? body;
    const secrets = extraHeaders?.secrets ?? [];
    const toRow = (answer: Answer): AttemptRow => {
      const row: AttemptRow = {
        number,
        started_at: startedAt,
        duration_ms: answer.durationMs,
        request_form: toRequestForm(extra, source),
        signature,
        body: kept,
        status: answer.status,
        headers: keepHeaders(maskHeaderValues(answer.headers, secrets)),
        excerpt: keepBody(maskSecrets(answer.excerpt, secrets)),
        error: answer.failure,
        detail: answer.detail && maskSecrets(answer.detail, secrets),
        next_attempt_at: null,
        ...(answer.phases && { phases: answer.phases }),
      };
      return toLoggedAttempt(extra === undefined ? row : { ...row, extra }, keptBodies);
    };
    // A stale connection must not cost a second attempt, or the only attempt of a test.
    const freshConnection = number > 1 || delivery.kind === "test";
    const onEnd = options.traceAttempt?.(input);
    const sent = transport.send({
      accountId,
      targetUrl,
      headerLines,
      body,
      timeoutMs,
      freshConnection,
      signal,
    });
    const sending =
      options.onUnsent === undefined
        ? sent
        : sent.catch((error: unknown) => toUnsentAnswer(error, input, options));
    return onEnd === undefined ? sending.then(toRow) : withEnd(sending.then(toRow), onEnd);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** @throws the error, if it is not known that nothing was sent */
function toUnsentAnswer(error: unknown, input: AttemptInput, { onUnsent }: AttemptOptions): Answer {
  const failure = error instanceof DeliveryError ? toUnsentFailure(error.code) : undefined;
  if (!(error instanceof DeliveryError) || failure === undefined) throw error;
  onUnsent?.(error, input);
  return { status: null, headers: [], excerpt: "", ...failure, durationMs: 0 };
}

async function withEnd(
  attempt: Promise<AttemptRow>,
  onEnd: (attempt: AttemptRow | undefined) => void,
): Promise<AttemptRow> {
  let row: AttemptRow | undefined;
  try {
    row = await attempt;
    return row;
  } finally {
    onEnd(row);
  }
}

type Named = Pick<DeliveryRow, "id" | "event" | "record_id" | "kind">;
type Signed = Pick<AttemptRow, "started_at" | "signature"> & {
  readonly extra?: ExtraHeadersRow | undefined;
};

/** The current version of the request headers. Any change of a header needs a new version, so that the log shows old requests as they were. */
export const requestForm = 1;
/** The version of requests with extra headers. Versions of Hookwright that do not know them refuse to show such a request. */
const extendedRequestForm = 2;
/** The version of requests whose signed headers have a prefix of the server, or whose source gives a body of the form `standard`. */
const ownWireRequestForm = 3;

function toRequestForm(extra: ExtraHeadersRow | undefined, source: BodySource | undefined): number {
  if (extra?.header_prefix !== undefined || source?.published_at !== undefined) return ownWireRequestForm;
  return extra === undefined ? requestForm : extendedRequestForm;
}

/** The headers of an attempt, without the owner's own: `Name: value` lines, each with its CRLF. */
export function renderRequestHeaders(delivery: Named, { started_at, signature, extra }: Signed): string {
  const { id, event, kind } = delivery;
  const standardSignature = extra?.standard_signature ?? null;
  const names = nameSignedHeaders(extra?.header_prefix);
  return (
    "Content-Type: application/json\r\nUser-Agent: Hookwright (+webhooks)\r\n" +
    `${names.event}: ${event}\r\n${names.delivery}: ${id}\r\n` +
    `${names.timestamp}: ${toSignedTime(started_at)}\r\n${names.signature}: ${signature}\r\n` +
    (kind === "test" ? `${names.test}: 1\r\n` : "") +
    (standardSignature === null
      ? ""
      : `webhook-id: ${toWebhookId(delivery)}\r\nwebhook-timestamp: ${toSignedTime(started_at)}\r\n` +
        `webhook-signature: ${standardSignature}\r\n`)
  );
}

function renderCustomHeaders(headers: readonly CustomHeader[] = []): string {
  return headers.map(({ name, value }) => `${name}: ${value}\r\n`).join("");
}

/** What the log keeps of the extra headers: never the values of the owner's own. */
function toExtraRow(
  { signStandard, headerPrefix, custom = [] }: ExtraHeaders,
  message: Parameters<SignStandard>[0],
): ExtraHeadersRow | undefined {
  if (signStandard === undefined && headerPrefix === undefined && custom.length === 0) return undefined;
  const row = {
    standard_signature: signStandard?.(message) ?? null,
    custom_headers: custom.map(({ name }) => name),
  };
  return headerPrefix === undefined ? row : { ...row, header_prefix: headerPrefix };
}

/**
 * The value of `webhook-id`: the body id, the same on every attempt. Record ids of hosts may have any printable
 * character, and a header only visible ASCII. So all others are percent-encoded.
 */
function toWebhookId({ event, record_id: recordId }: Pick<Named, "event" | "record_id">): string {
  return bodyId(event, recordId).replace(/[^\x21-\x7E]+/gu, (text) =>
    Buffer.from(text).toString("hex").toUpperCase().replace(/../gu, "%$&"),
  );
}

/** The headers of an attempt by name, as they were sent. They are rendered again from what differs between requests. */
export function readRequestHeaders(
  delivery: Named,
  attempt: Signed & Pick<AttemptRow, "request_form">,
): Record<string, string> {
  if (attempt.request_form < requestForm || attempt.request_form > ownWireRequestForm) {
    throw new Error(
      `delivery ${delivery.id} was sent in form ${attempt.request_form} by a later version: read its log with that version`,
    );
  }
  const lines = renderRequestHeaders(delivery, attempt).matchAll(/^(.+?): (.*)$/gmu);
  return Object.fromEntries([
    ...Array.from(lines, ([, name = "", value = ""]) => [name, value] as const),
    ...(attempt.extra?.custom_headers ?? []).map((name) => [name, hiddenHeaderValue] as const),
  ]);
}

/**
 * Signs a body as an attempt does, for a delivery that is not sent over HTTP.
 *
 * @param startedAt milliseconds since the epoch
 * @returns the headers by name
 */
export function signHeaders(
  {
    delivery,
    body,
    sign,
    extraHeaders,
  }: Pick<AttemptInput, "body" | "sign" | "extraHeaders"> & { readonly delivery: Named },
  startedAt: number,
): Record<string, string> {
  const timestamp = toSignedTime(startedAt);
  const signature = sign({ body, timestamp });
  const extra = extraHeaders && toExtraRow(extraHeaders, { id: toWebhookId(delivery), body, timestamp });
  return readRequestHeaders(delivery, { request_form: requestForm, started_at: startedAt, signature, extra });
}

/** Whole seconds since the epoch: what is signed and sent as a header. */
function toSignedTime(startedAt: number): number {
  return Math.floor(startedAt / 1_000);
}

/** The part of a response body that the log keeps, in bytes of UTF-8. */
const keptBodyBytes = 2_048;
/** Headers of a response that the log keeps, including a line that counts the omitted ones. */
const keptHeaders = 32;
/** Total size of the names and values of the kept headers, in bytes of UTF-8. */
const keptHeaderBytes = 2_048;

/** If the headers are too large, longer names and values are cut, so that one header does not displace the others. */
const longestCutBytes = 256;
const mark = "…";
const markBytes = 3;
/** Reserved for the line that counts the omitted headers. */
const countLineBytes = 32;
/** A UTF-16 unit has at most this many bytes in UTF-8. */
const maximumBytesPerUnit = 3;

/** The part of a response body that the log keeps. A longer text is cut and ends with `…`, because endpoints could fill the storage. */
export function keepBody(text: string): string {
  return cut(text, keptBodyBytes);
}

/**
 * The headers of a response that the log keeps, in order. If they are larger than 2 KiB in total, each name and value is cut to 256 bytes
 * and ends with `…`. Headers that still do not fit are counted under the name `…`, which no header can have.
 */
export function keepHeaders(headers: HeaderList): HeaderList {
  const count = headers.length / 2;
  const isShort = fits(headers.join(""), keptHeaderBytes);
  if (isShort && count <= keptHeaders) return headers;
  const kept: string[] = [];
  let bytes = countLineBytes;
  for (let at = 0; at < headers.length && kept.length < (keptHeaders - 1) * 2; at += 2) {
    const line = headers.slice(at, at + 2).map((text) => (isShort ? text : cut(text, longestCutBytes)));
    bytes += Buffer.byteLength(line.join(""));
    if (bytes > keptHeaderBytes) break;
    kept.push(...line);
  }
  const omitted = count - kept.length / 2;
  if (omitted > 0) kept.push(mark, omitted === 1 ? "1 more header" : `${omitted} more headers`);
  return kept;
}

/** Most texts are so short that counting their units is enough. */
function fits(text: string, maximumBytes: number): boolean {
  if (text.length * maximumBytesPerUnit <= maximumBytes) return true;
  return text.length <= maximumBytes && Buffer.byteLength(text) <= maximumBytes;
}

function cut(text: string, maximumBytes: number): string {
  if (fits(text, maximumBytes)) return text;
  const bytes = Buffer.from(text.slice(0, maximumBytes)).subarray(0, maximumBytes - markBytes);
  // A stream decoder omits a character that the limit cuts in two.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true }) + mark;
}
