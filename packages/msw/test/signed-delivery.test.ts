import { eventNames, sampleDeliveryBody } from "@hookwright/domain";
import { verify } from "@hookwright/signature";
import { describe, expect, it } from "vitest";
import { deliveryFaults } from "../src/delivery/delivery-faults.ts";
import type { DeliveryFault } from "../src/delivery/delivery-faults.ts";
import { signedDelivery } from "../src/delivery/signed-delivery.ts";
import { untyped } from "./support/untyped.ts";

const secret = "whsec_example";
const faults: readonly DeliveryFault[] = Object.keys(deliveryFaults).filter(
  (name): name is DeliveryFault => name in deliveryFaults,
);

describe("a delivery for a receiver under test", () => {
  it.each(eventNames)("of %s is valid and contains the event's sample", async (event) => {
    const delivery = await signedDelivery({ event, secret });
    const request = delivery.request();
    const verified = await verify({
      body: await request.arrayBuffer(),
      headers: request.headers,
      secrets: secret,
    });
    expect(verified).toEqual(sampleDeliveryBody(event));
    expect(delivery.envelope).toEqual(verified);
  });

  it("has the names of the prefix of the server, and faults concern these", async () => {
    const options = { event: "order.paid", secret, headerPrefix: "X-Acme" } as const;
    const { headers, body } = await signedDelivery(options);
    expect(Object.keys(headers).filter((name) => name.startsWith("X-Service"))).toEqual([]);
    await expect(verify({ headers, body, secrets: secret, headerPrefix: "X-Acme" })).resolves.toBeDefined();
    expect((await signedDelivery({ ...options, fault: "no_signature" })).headers).not.toHaveProperty(
      "X-Acme-Signature",
    );
    await expect(signedDelivery({ ...options, headerPrefix: "webhook" })).rejects.toMatchObject({
      code: "invalid_header_prefix",
    });
  });

  it("has the form that the server sends, and the same event", async () => {
    const { body, headers, envelope } = await signedDelivery({
      event: "order.paid",
      secret,
      bodyForm: "standard",
    });
    expect(Object.keys(JSON.parse(body))).toEqual(["type", "timestamp", "data", "id", "project"]);
    expect(await verify({ body, headers, secrets: secret })).toMatchObject(envelope);
    expect(envelope).toEqual(sampleDeliveryBody("order.paid"));
  });

  it("contains the given fields in a publishable record", async () => {
    const { envelope } = await signedDelivery({
      event: "order.paid",
      secret,
      data: { id: "ord_7", total: 0.1 + 0.2 },
      project: { id: "site_9" },
    });
    expect(envelope).toMatchObject({
      id: "order.paid_ord_7",
      project: { id: "site_9", name: "Main street shop" },
      data: { id: "ord_7", total: 0.3, currency: "EUR" },
    });
    await expect(
      signedDelivery({ event: "order.paid", secret, data: { total: Number.NaN } }),
    ).rejects.toMatchObject({ code: "validation_failed" });
  });

  it("can be sent several times", async () => {
    const delivery = await signedDelivery({ event: "order.paid", secret });
    expect([await delivery.request().text(), await delivery.request().text()]).toEqual([
      delivery.body,
      delivery.body,
    ]);
  });

  it("is signed at the time of `now` in whole seconds", async () => {
    const now = () => 1_800_000_000_999;
    const { headers, body } = await signedDelivery({ event: "order.paid", secret, now });
    expect(headers["X-Service-Timestamp"]).toBe("1800000000");
    await expect(verify({ headers, body, secrets: secret, now: now() / 1_000 })).resolves.toBeDefined();
  });

  it("may be marked as a test", async () => {
    const marks = await Promise.all(
      [true, false].map((test) => signedDelivery({ event: "order.paid", secret, test })),
    );
    expect(marks.map(({ headers }) => headers["X-Service-Test"])).toEqual(["1", undefined]);
  });

  it.each(faults)("with the fault %s is rejected with the code of the table", async (fault) => {
    for (const event of eventNames) {
      const { headers, body } = await signedDelivery({ event, secret, fault });
      await expect(verify({ headers, body, secrets: secret })).rejects.toMatchObject({
        code: deliveryFaults[fault],
      });
    }
  });

  it("requires a secret", async () => {
    await expect(signedDelivery({ event: "order.paid", secret: "" })).rejects.toMatchObject({
      code: "no_secret",
    });
  });
});

it.each(["", "/hooks", "ftp://x.example", "https://user:pass@x.example/"])(
  "must not go to %j",
  async (url) => {
    await expect(signedDelivery({ event: "order.paid", secret, url })).rejects.toMatchObject({
      code: "invalid_url",
    });
  },
);

it("requires a known event", async () => {
  await expect(signedDelivery({ event: untyped("order.gone"), secret })).rejects.toMatchObject({
    code: "unknown_event",
    message: expect.stringContaining("order.gone"),
  });
});
