import { createSignedHeaders } from "@hookwright/signature";
import { review } from "./review.ts";

export const secret = "whsec_example";

export const event = {
  id: "review.submitted_rev_1",
  event: "review.submitted",
  project: { id: "site_shop", name: "Shop", timezone: "Europe/London" },
  data: review,
};

export const body = JSON.stringify(event);

export interface DeliverOptions {
  readonly signed?: string;
  /** The body that is sent. @default the signed body */
  readonly sent?: string;
  readonly test?: boolean;
  readonly timestamp?: number;
}

/** Sends a delivery to a receiver and returns the status. */
export async function deliver(
  send: (request: Request) => Promise<Response>,
  url: string,
  { signed = body, sent = signed, ...options }: DeliverOptions = {},
): Promise<number> {
  const headers = await createSignedHeaders({
    ...options,
    body: signed,
    secret,
    event: event.event,
    deliveryId: "dlv_1",
  });
  return (await send(new Request(url, { method: "POST", headers, body: sent }))).status;
}
