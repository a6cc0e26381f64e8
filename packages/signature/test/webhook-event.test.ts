import { expect, expectTypeOf, it } from "vitest";
import { createSignedRequest, verify } from "../src/index.ts";
import type {
  Booking,
  KnownEventName,
  Order,
  Review,
  SignatureErrorCode,
  UnknownWebhookEvent,
  WebhookEvent,
} from "../src/index.ts";
import { SignatureError } from "../src/signature-error.ts";
import { body, now, secret } from "./sample-delivery.ts";

function describeEvent(event: WebhookEvent): string {
  switch (event.event) {
    case "order.created":
    case "order.paid":
      expectTypeOf(event.data).toEqualTypeOf<Order>();
      return `order ${event.data.number}`;
    case "booking.created":
      expectTypeOf(event.data).toEqualTypeOf<Booking>();
      return event.data.service;
    case "review.submitted":
      expectTypeOf(event.data).toEqualTypeOf<Review>();
      return event.data.title;
    case "rental.reserved":
      return event.data.return.date;
    case "subscriber.created":
      return event.data.email;
    case "property_enquiry.created":
      return event.data.listing.title;
    default:
      expectTypeOf(event).toEqualTypeOf<UnknownWebhookEvent>();
      return `ignored ${event.event}`;
  }
}

it("a switch over the name narrows the data, and its default branch receives newer events", async () => {
  expect(describeEvent(JSON.parse(body))).toBe("ada@example.com");
  const request = await createSignedRequest({
    event: {
      id: "quote.sent_1",
      event: "quote.sent",
      project: { id: "s", name: "S", timezone: "UTC" },
      data: {},
    },
    secret,
    timestamp: now,
  });
  const event = await verify({ body: await request.text(), headers: request.headers, secrets: secret, now });
  expect(describeEvent(event)).toBe("ignored quote.sent");
});

it("a type of your own replaces that of the specification", () => {
  interface Own {
    "order.paid": { loyalty: number };
    "order.shipped": { carrier: string };
  }
  const read = (event: WebhookEvent<Own>): unknown => {
    if (event.event === "order.paid") expectTypeOf(event.data).toEqualTypeOf<{ loyalty: number }>();
    if (event.event === "order.shipped") expectTypeOf(event.data).toEqualTypeOf<{ carrier: string }>();
    if (event.event === "order.created") expectTypeOf(event.data).toEqualTypeOf<Order>();
    return event;
  };
  expect(read(JSON.parse(body))).toMatchObject({ event: "subscriber.created" });
});

it("types know seven names, open value sets and the codes", () => {
  expectTypeOf<KnownEventName>().toEqualTypeOf<
    | "order.created"
    | "order.paid"
    | "booking.created"
    | "rental.reserved"
    | "subscriber.created"
    | "property_enquiry.created"
    | "review.submitted"
  >();
  expectTypeOf<string>().toExtend<Order["status"]>();
  expectTypeOf<Review["customer"]>().not.toHaveProperty("phone");
  expectTypeOf(new SignatureError("no_secret", "").code).toEqualTypeOf<SignatureErrorCode>();
});
