import { expectTypeOf, it } from "vitest";
import { mockApi, signedDelivery } from "../src/index.ts";
import type { DeliveryBody, EventData, HostAccount, WebhookEvent } from "../src/index.ts";
import type { MockApi, ReceivedDelivery } from "../src/index.ts";

it("all types of returned values are exported", () => {
  const publish = () => mockApi({ baseUrl: "https://api.example.com" }).publish("order.paid");
  expectTypeOf(publish).returns.toEqualTypeOf<Promise<DeliveryBody<"order.paid">>>();
  expectTypeOf<Awaited<ReturnType<typeof publish>>["data"]>().toEqualTypeOf<EventData["order.paid"]>();
  const sign = () => signedDelivery({ event: "review.submitted", secret: "whsec_1" });
  expectTypeOf<Awaited<ReturnType<typeof sign>>["envelope"]>().toEqualTypeOf<
    DeliveryBody<"review.submitted">
  >();
  expectTypeOf<Awaited<ReturnType<MockApi["state"]>>["account"]>().toEqualTypeOf<HostAccount>();
  expectTypeOf<ReceivedDelivery["event"]>().toEqualTypeOf<WebhookEvent>();
});
