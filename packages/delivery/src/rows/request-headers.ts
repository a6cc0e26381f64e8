import type { AttemptRow, DeliveryRow } from "./delivery-row.ts";

type Named = Pick<DeliveryRow, "id" | "event" | "kind">;
type Signed = Pick<AttemptRow, "started_at" | "signature">;

/** The form of what is sent now. A change of any header is a new form: the log shows old requests as they were. */
export const requestForm = 1;

/** The headers of an attempt (specification §6.2): `Name: value` lines, each with its CRLF. */
export function renderRequestHeaders({ id, event, kind }: Named, { started_at, signature }: Signed): string {
  return (
    "Content-Type: application/json\r\nUser-Agent: Hookwright (+webhooks)\r\n" +
    `X-Service-Event: ${event}\r\nX-Service-Delivery: ${id}\r\n` +
    `X-Service-Timestamp: ${toSignedTime(started_at)}\r\nX-Service-Signature: ${signature}\r\n` +
    (kind === "test" ? "X-Service-Test: 1\r\n" : "")
  );
}

/** The headers of an attempt by name, as they were sent: made again of the few things that differ between requests. */
export function readRequestHeaders(
  delivery: Named,
  attempt: Signed & Pick<AttemptRow, "request_form">,
): Record<string, string> {
  if (attempt.request_form !== requestForm) {
    throw new Error(
      `delivery ${delivery.id} was sent in form ${attempt.request_form} by a later version: read its log with that version`,
    );
  }
  const headers: Record<string, string> = {};
  for (const line of renderRequestHeaders(delivery, attempt).split("\r\n")) {
    const colon = line.indexOf(": ");
    if (colon !== -1) headers[line.slice(0, colon)] = line.slice(colon + 2);
  }
  return headers;
}

/** Whole seconds since the epoch: what is signed and sent as `X-Service-Timestamp`. */
export function toSignedTime(startedAt: number): number {
  return Math.floor(startedAt / 1_000);
}
