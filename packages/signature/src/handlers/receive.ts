import type { DuplicateGuard } from "../duplicates/duplicate-guard.ts";
import { verify } from "../portable/verify.ts";
import { SignatureError } from "../signature-error.ts";
import type { VerifyOptions } from "../verify-options.ts";
import type { NoOwnEvents, OwnEventData, WebhookEvent } from "../webhook-event.ts";

export type Secrets = VerifyOptions["secrets"];

/** `Own` types the events that your sender has added, as for `verify`. */
export interface HandlerOptions<Own extends OwnEventData = NoOwnEvents> {
  /** The signing secret, or several during a rotation. A function is called for each delivery, for example to read a variable. */
  readonly secrets: Secrets | (() => Secrets);
  /** Handles a verified event. The answer waits for it, at most ten seconds. If it throws, the sender retries. */
  readonly onEvent: (event: WebhookEvent<Own>) => unknown;
  /** Handles a test from the console, whose record does not exist. @default it is only answered */
  readonly onTest?: ((event: WebhookEvent<Own>) => unknown) | undefined;
  /** Handles each event once, although it may be delivered twice: `createDuplicateGuard()`. @default none */
  readonly guard?: Pick<DuplicateGuard, "once"> | undefined;
  /** Longer bodies are answered with 413. @default 8388608, 8 MiB */
  readonly maximumBodyBytes?: number | undefined;
  /** The largest allowed age of a delivery. @default 300 */
  readonly toleranceSeconds?: number | undefined;
  /** The prefix of the header names, if the sender has one of its own. @default "X-Service" */
  readonly headerPrefix?: string | undefined;
  /** Receives the reason why a delivery was refused. @default `console.warn` */
  readonly onRefused?: ((error: SignatureError) => void) | undefined;
  /** Receives what `onEvent`, `onTest` or the guard has thrown. @default `console.error` */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** What a handler answers with. The text is for the log of the sender. */
export interface Answer {
  readonly status: number;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Delivery = Pick<VerifyOptions, "body" | "headers">;

/** The result of reading a body: its bytes, or undefined if it is too long. */
export type ReadBody = () => Delivery["body"] | undefined | Promise<Delivery["body"] | undefined>;

export const wrongMethod: Answer = { status: 405, text: "method_not_allowed", headers: { Allow: "POST" } };
export const tooLong: Answer = { status: 413, text: "body_too_long" };

/** An order of a thousand lines is below 5 MB. */
export function bodyLimit({ maximumBodyBytes = 2 ** 23 }: Pick<HandlerOptions, "maximumBodyBytes">): number {
  return maximumBodyBytes;
}

/** The body is gone. It cannot be restored from the parsed one, because the signature covers its bytes. */
export function alreadyRead(hint: string): SignatureError {
  return new SignatureError("body_not_raw", `the body was read before the handler: ${hint}`);
}

/** Verifies a delivery and passes it to the right function. Never rejects: every outcome is an answer. */
export async function receive<Own extends OwnEventData>(
  headers: Delivery["headers"],
  readBody: ReadBody,
  options: HandlerOptions<Own>,
): Promise<Answer> {
  const { secrets, onEvent, onTest, guard, toleranceSeconds, headerPrefix } = options;
  const { onRefused = warn, onError = console.error } = options;
  try {
    const body = await readBody();
    if (body === undefined || lengthOf(body) > bodyLimit(options)) return tooLong;
    const keys = typeof secrets === "function" ? secrets() : secrets;
    const event = await verify<Own>({ body, headers, secrets: keys, toleranceSeconds, headerPrefix });
    if (event.test) return await accept(() => onTest?.(event));
    if (guard === undefined) return await accept(() => onEvent(event));
    // "busy": another request handles this event now, and it may still fail.
    const outcome = await guard.once(event, () => onEvent(event));
    return outcome === "busy" ? { status: 409, text: "busy" } : { status: 204 };
  } catch (error) {
    if (error instanceof SignatureError) {
      onRefused(error);
      return { status: error.status, text: error.code };
    }
    onError(error);
    return { status: 500, text: "handler_failed" };
  }
}

async function accept(handle: () => unknown): Promise<Answer> {
  await handle();
  return { status: 204 };
}

function lengthOf(body: Delivery["body"]): number {
  return typeof body === "string" ? new TextEncoder().encode(body).length : body.byteLength;
}

function warn({ code, message }: SignatureError): void {
  console.warn(`${code}: ${message}`);
}
