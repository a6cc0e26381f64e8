import { createSignedHeaders } from "@hookwright/signature";
import type { DeliveryFault } from "./delivery-faults.ts";

/** A delivery that is ready to be sent. */
export interface SignedDelivery<Envelope> {
  readonly deliveryId: string;
  readonly url: string;
  /** The headers, for tools that do not accept a `Request`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The signed text, unless it was tampered with. */
  readonly body: string;
  /** The parsed body. */
  readonly envelope: Envelope;
  /** Returns a new request, because a request can be sent only once. */
  request(): Request;
}

export interface SignBodyOptions {
  readonly secret: string;
  readonly url?: string | undefined;
  readonly deliveryId?: string | undefined;
  readonly test?: boolean | undefined;
  readonly fault?: DeliveryFault | undefined;
  readonly now?: (() => number) | undefined;
}

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const anHourSeconds = 3_600;

/** @throws SignatureError `no_secret` */
export async function signBody<Envelope extends { readonly event: string }>(
  envelope: Envelope,
  {
    secret,
    url = "https://receiver.example/webhooks",
    deliveryId = `dlv_${crypto.randomUUID().replaceAll("-", "")}`,
    test = false,
    fault,
    now = () => Date.now(),
  }: SignBodyOptions,
): Promise<SignedDelivery<Envelope>> {
  const signed = textToSign(JSON.stringify(envelope), fault);
  const { event } = envelope;
  const timestamp = Math.floor(now() / 1_000) + clockOffsetSeconds(fault);
  const signingSecret = fault === "wrong_secret" ? `${secret}, but another` : secret;
  const signedHeaders = await createSignedHeaders({
    body: signed,
    secret: signingSecret,
    event,
    deliveryId,
    timestamp,
    test,
  });
  const sent = { headers: { "User-Agent": "Hookwright (+webhooks)", ...signedHeaders }, body: signed };
  const { headers, body } = applyFault(sent, fault);
  return {
    deliveryId,
    url,
    headers,
    body,
    envelope,
    request: () => new Request(url, { method: "POST", headers, body }),
  };
}

function textToSign(text: string, fault: DeliveryFault | undefined): string {
  if (fault === "no_json") return text.slice(0, -1);
  return fault === "no_envelope" ? "{}" : text;
}

function clockOffsetSeconds(fault: DeliveryFault | undefined): number {
  if (fault === "expired") return -anHourSeconds;
  return fault === "from_the_future" ? anHourSeconds : 0;
}

/** Applies the faults that happen after signing. */
function applyFault(sent: Sent, fault: DeliveryFault | undefined): Sent {
  const { headers, body } = sent;
  const { "X-Service-Signature": signature = "", "X-Service-Timestamp": timestamp = "", ...rest } = headers;
  switch (fault) {
    case "tampered_body":
      return { headers, body: `${body} ` };
    case "rendered_again":
      return { headers, body: JSON.stringify(JSON.parse(body), undefined, 2) };
    case "event_mismatch":
      return { headers: { ...headers, "X-Service-Event": otherEvent(headers["X-Service-Event"]) }, body };
    case "no_signature":
      return { headers: { ...rest, "X-Service-Timestamp": timestamp }, body };
    case "no_timestamp":
      return { headers: { ...rest, "X-Service-Signature": signature }, body };
    case "malformed_signature": {
      const spelled = `v1=${signature.slice(3).toUpperCase()}`;
      return { headers: { ...headers, "X-Service-Signature": spelled }, body };
    }
    default:
      return sent;
  }
}

function otherEvent(event: string | undefined): string {
  return event === "order.paid" ? "order.created" : "order.paid";
}
