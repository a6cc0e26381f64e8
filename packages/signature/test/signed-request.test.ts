import { afterEach, expect, it, vi } from "vitest";
import { createSignedHeaders, createSignedRequest, readDeliveryFacts, verify } from "../src/index.ts";
import { body, event, headers, now, secret } from "./sample-delivery.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("createSignedHeaders returns all headers of a delivery", async () => {
  const options = { body, secret, event: "subscriber.created", deliveryId: "dlv_1", timestamp: now };
  expect(await createSignedHeaders(options)).toEqual({ "Content-Type": "application/json", ...headers });
  expect(await createSignedHeaders({ ...options, test: true })).toMatchObject({ "X-Service-Test": "1" });
});

it("the default timestamp is the current second", async () => {
  vi.useFakeTimers({ now: now * 1000 + 999 });
  const made = await createSignedHeaders({ body, secret, event: "subscriber.created", deliveryId: "dlv_1" });
  expect(made).toMatchObject(headers);
});

it("a signed request is a POST that verifies by the clock", async () => {
  const request = await createSignedRequest({ event, secret });
  expect(request).toBeInstanceOf(Request);
  expect(request.method).toBe("POST");
  expect(request.headers.get("content-type")).toBe("application/json");
  expect(
    await verify({ body: await request.arrayBuffer(), headers: request.headers, secrets: secret }),
  ).toEqual(event);
});

it("a signed request accepts a URL, a delivery id, a timestamp and a test mark", async () => {
  const url = "http://localhost:3000/hooks";
  const request = await createSignedRequest({
    event,
    secret,
    url,
    deliveryId: "dlv_7",
    timestamp: now,
    test: true,
  });
  expect(request.url).toBe(url);
  expect(readDeliveryFacts(request.headers)).toEqual({ deliveryId: "dlv_7", test: true, timestamp: now });
});

it("two signed requests have different delivery ids", async () => {
  const [one, other] = await Promise.all([
    createSignedRequest({ event, secret }),
    createSignedRequest({ event, secret }),
  ]);
  const id = readDeliveryFacts(one.headers).deliveryId;
  expect(id).toMatch(/^dlv_[0-9a-f]{32}$/);
  expect(readDeliveryFacts(other.headers).deliveryId).not.toBe(id);
});

it("missing and invalid facts are undefined", () => {
  expect(readDeliveryFacts({})).toEqual({ deliveryId: undefined, test: false, timestamp: undefined });
  expect(readDeliveryFacts({ "x-service-timestamp": "12abc", "x-service-test": "true" })).toMatchObject({
    test: false,
    timestamp: undefined,
  });
});
