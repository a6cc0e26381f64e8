import { signHeaders } from "@hookwright/delivery";
import type { AttemptInput } from "@hookwright/delivery";
import { nameSignedHeaders } from "@hookwright/domain";
import type { SignedHeaderNames } from "@hookwright/domain";
import type { DeliveryFault } from "./delivery-faults.ts";

/** A delivery that is ready to be sent. */
export interface SignedDelivery<Envelope> {
  readonly deliveryId: string;
  readonly url: string;
  /** The headers, for tools that do not accept a `Request`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The signed text, unless it was tampered with. */
  readonly body: string;
  /** The event, as `verify` returns it for both forms of a body. */
  readonly envelope: Envelope;
  /** Returns a new request, because a request can be sent only once. */
  request(): Request;
}

export interface ToSignedDeliveryOptions extends Pick<AttemptInput, "body" | "sign" | "extraHeaders"> {
  readonly delivery: Parameters<typeof signHeaders>[0]["delivery"];
  readonly url: string;
  /** The body in the form of the specification. @default the body */
  readonly envelope?: string | undefined;
  /** @default none */
  readonly fault?: DeliveryFault | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const anHourMs = 3_600_000;

/** Signs a body as the service does when it sends it. */
export function toSignedDelivery<Envelope>({
  delivery,
  body: text,
  sign,
  extraHeaders,
  url,
  envelope = text,
  fault,
  startedAt,
}: ToSignedDeliveryOptions): SignedDelivery<Envelope> {
  const signed = textToSign(text, fault);
  const signedAt = startedAt + clockOffsetMs(fault);
  const signedHeaders = signHeaders({ delivery, body: signed, sign, extraHeaders }, signedAt);
  const names = nameSignedHeaders(extraHeaders?.headerPrefix);
  const { headers, body } = applyFault({ headers: signedHeaders, body: signed }, names, fault);
  return {
    deliveryId: delivery.id,
    url,
    headers,
    body,
    envelope: JSON.parse(envelope),
    request: () => new Request(url, { method: "POST", headers, body }),
  };
}

function textToSign(text: string, fault: DeliveryFault | undefined): string {
  if (fault === "no_json") return text.slice(0, -1);
  return fault === "no_envelope" ? "{}" : text;
}

function clockOffsetMs(fault: DeliveryFault | undefined): number {
  if (fault === "expired") return -anHourMs;
  return fault === "from_the_future" ? anHourMs : 0;
}

/** Applies the faults that happen after signing. */
function applyFault(sent: Sent, names: SignedHeaderNames, fault: DeliveryFault | undefined): Sent {
  const { headers, body } = sent;
  const { [names.signature]: signature = "", [names.timestamp]: timestamp = "", ...rest } = headers;
  switch (fault) {
    case "tampered_body":
      return { headers, body: `${body} ` };
    case "rendered_again":
      return { headers, body: JSON.stringify(JSON.parse(body), undefined, 2) };
    case "event_mismatch":
      return { headers: { ...headers, [names.event]: otherEvent(headers[names.event]) }, body };
    case "no_signature":
      return { headers: { ...rest, [names.timestamp]: timestamp }, body };
    case "no_timestamp":
      return { headers: { ...rest, [names.signature]: signature }, body };
    case "malformed_signature": {
      const spelled = `v1=${signature.slice(3).toUpperCase()}`;
      return { headers: { ...headers, [names.signature]: spelled }, body };
    }
    default:
      return sent;
  }
}

function otherEvent(event: string | undefined): string {
  return event === "order.paid" ? "order.created" : "order.paid";
}
