import { findHeaderPrefix, nameSignedHeaders } from "@hookwright/domain";
import type { SignedHeaderNames } from "@hookwright/domain";
import { createStandardSigner, signSync } from "@hookwright/signature/node";
import { isRow, parseJsonText, rowOf, textOf } from "../api/fields.ts";
import { ownError } from "../cli-error.ts";

/** A delivery that a listener received. */
export interface ReceivedDelivery {
  /** The value of `X-Service-Delivery`. */
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The exact text. A webhook gets its UTF-8. */
  readonly body: string;
}

/** @throws {CliError} `server_unreachable` if it is not a delivery of this API */
export function parseDelivery(id: string, data: string): ReceivedDelivery {
  const content = parseJsonText(data);
  const body = isRow(content) ? textOf(content, "body") : undefined;
  const headers = isRow(content) ? rowOf(content, "headers") : undefined;
  if (body === undefined || headers === undefined || id === "") {
    throw ownError(
      "server_unreachable",
      `the event ${JSON.stringify(id)} of the stream has no headers or no body. Is the server newer than this command line?`,
    );
  }
  return {
    id,
    body,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  };
}

/** What the body says, for one line of output. */
export function readBody(body: string): { readonly event: string; readonly bodyId: string } {
  const content = parseJsonText(body);
  const row = isRow(content) ? content : {};
  return { event: textOf(row, "event") ?? textOf(row, "type") ?? "?", bodyId: textOf(row, "id") ?? "?" };
}

/**
 * Signs a delivery again with the current time, as a retry does. Receivers refuse a signature that is older than five
 * minutes. All signature headers change; the ids stay.
 *
 * @param now milliseconds since the epoch
 */
export function signAgain(
  { id, headers, body }: ReceivedDelivery,
  { secret, now }: { readonly secret: string; readonly now: number },
): ReceivedDelivery {
  const timestamp = Math.floor(now / 1_000);
  const standardId = headerOf(headers, "webhook-id") ?? "";
  const names = namesOf(headers);
  const fresh: Readonly<Record<string, () => string>> = {
    [names.timestamp.toLowerCase()]: () => String(timestamp),
    [names.signature.toLowerCase()]: () => signSync({ body, secret, timestamp }),
    "webhook-timestamp": () => String(timestamp),
    "webhook-signature": () => createStandardSigner(secret)({ id: standardId, body, timestamp }),
  };
  const again = Object.entries(headers).map(([name, value]) => [
    name,
    fresh[name.toLowerCase()]?.() ?? value,
  ]);
  return { id, body, headers: Object.fromEntries(again) };
}

/**
 * When a delivery was signed, in milliseconds since the epoch. Undefined without a usable timestamp.
 */
export function signedAt({ headers }: ReceivedDelivery): number | undefined {
  const timestamp = headerOf(headers, namesOf(headers).timestamp) ?? "";
  return /^\d{1,11}$/u.test(timestamp) ? Number(timestamp) * 1_000 : undefined;
}

/** The value of a header, whatever its case. */
export function headerOf(headers: ReceivedDelivery["headers"], name: string): string | undefined {
  return Object.entries(headers).find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
}

/** The names of the signed headers, which depend on the server. */
export function namesOf(headers: ReceivedDelivery["headers"]): SignedHeaderNames {
  return nameSignedHeaders(findHeaderPrefix(Object.keys(headers)));
}

/** The message of an event `dropped` or `displaced`. */
export function parseMessage(data: string): string | undefined {
  const content = parseJsonText(data);
  return isRow(content) ? textOf(content, "message") : undefined;
}
