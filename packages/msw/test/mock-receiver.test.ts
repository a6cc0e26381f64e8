import { createSignedHeaders } from "@hookwright/signature";
import { getResponse } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { deliveryFaults } from "../src/delivery/delivery-faults.ts";
import type { DeliveryFault } from "../src/delivery/delivery-faults.ts";
import { signedDelivery } from "../src/delivery/signed-delivery.ts";
import { mockReceiver } from "../src/receiver/mock-receiver.ts";
import { untyped } from "./support/untyped.ts";

const secret = "whsec_example";
const url = "https://hooks.example.com/orders";
const receiver = mockReceiver({ url, secrets: secret });
const server = setupServer(...receiver.handlers);
beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
afterEach(() => receiver.reset());
afterAll(() => server.close());

const deliver = async (options: Partial<Parameters<typeof signedDelivery>[0]> = {}) => {
  const delivery = await signedDelivery({ event: "order.paid", secret, url, ...options });
  return fetch(delivery.request());
};

describe("a receiver behind msw", () => {
  it("verifies, accepts and records deliveries with types", async () => {
    const answer = await deliver({ deliveryId: "dlv_1", test: true });
    expect(answer.status).toBe(204);
    const { event, ...facts } = await receiver.next();
    if (event.event !== "order.paid") throw new Error("another event");
    expect(event.data.number).toBe("1001");
    expect(facts).toMatchObject({ deliveryId: "dlv_1", attempt: 1, test: true, answer: 204 });
    expect(receiver.deliveries).toEqual([{ event, ...facts }]);
  });

  it.each(Object.entries(deliveryFaults))("rejects the fault %s as %s", async (name, code) => {
    if (!isFault(name)) throw new Error("the table's keys are faults");
    const answer = await deliver({ fault: name });
    const status = code.startsWith("invalid_") ? 400 : 401;
    expect([answer.status, await answer.text()]).toEqual([status, code]);
    expect(receiver.refused).toMatchObject([{ error: { code, status } }]);
    expect(receiver.deliveries).toEqual([]);
    await expect(receiver.next()).rejects.toMatchObject({ code });
  });

  it("accepts only deliveries at its URL", async () => {
    const besides = new Request("https://hooks.example.com/other", { method: "POST" });
    expect(await getResponse([...receiver.handlers], besides)).toBeUndefined();
    expect((await fetch(url)).status).toBe(405);
    expect((await receiver.fetch(new Request("http://localhost/other", { method: "POST" }))).status).toBe(
      404,
    );
    expect(receiver.refused).toEqual([]);
  });

  it("rejects all deliveries without a secret, until trust adds one", async () => {
    const careful = mockReceiver({ url });
    const send = async () =>
      careful.fetch((await signedDelivery({ event: "order.paid", secret, url })).request());
    expect((await send()).status).toBe(500);
    await expect(careful.next()).rejects.toMatchObject({ code: "no_secret" });
    careful.trust("whsec_another");
    careful.trust(secret);
    expect((await send()).status).toBe(204);
  });

  it("checks the timestamp with the given clock", async () => {
    const now = () => 1_800_000_000_000;
    const late = mockReceiver({ url, secrets: secret, now: () => now() + 301_000 });
    const delivery = await signedDelivery({ event: "order.paid", secret, url, now });
    expect((await late.fetch(delivery.request())).status).toBe(401);
    const onTime = mockReceiver({ url, secrets: secret, now: () => now() + 300_000 });
    expect((await onTime.fetch(delivery.request())).status).toBe(204);
  });
});

describe("the answer of a receiver", () => {
  it("is the next of the list for each delivery, and the last one repeats", async () => {
    receiver.answerWith(500, 410, 200);
    const answers = [];
    for (let count = 0; count < 4; count += 1) answers.push((await deliver({ deliveryId: "dlv_1" })).status);
    expect(answers).toEqual([500, 410, 200, 200]);
    expect(receiver.deliveries.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
  });

  it("is not used for rejected deliveries", async () => {
    receiver.answerWith(500, 204);
    await deliver({ fault: "wrong_secret" });
    expect((await deliver()).status).toBe(500);
  });

  it("may be a broken connection or no response", async () => {
    receiver.answerWith("network_error", "no_answer");
    await expect(deliver()).rejects.toThrow(TypeError);
    const client = new AbortController();
    const { request } = await signedDelivery({ event: "order.paid", secret, url });
    const pending = fetch(request(), { signal: client.signal });
    await expect.poll(() => receiver.deliveries.length).toBe(2);
    client.abort(new Error("enough"));
    await expect(pending).rejects.toThrow("enough");
  });

  it.each([100, 600, 204.5, Number.NaN, "nothing", null])("must not be %s", (answer) => {
    const wrong = untyped(answer);
    expect(() => receiver.answerWith(wrong)).toThrow(expect.objectContaining({ code: "invalid_answer" }));
    expect(() => mockReceiver({ url, answers: [wrong] })).toThrow(
      expect.objectContaining({ code: "invalid_answer" }),
    );
  });
});

it.each(["https://hooks.example.com/(x)/a:b*", "http://[::1]:8123/hooks"])(
  "%s is matched by msw",
  async (place) => {
    const there = mockReceiver({ url: place, secrets: secret });
    const request = (target: string) => new Request(target, { method: "POST" });
    expect((await getResponse([...there.handlers], request(`${place}?token=1`)))?.status).toBe(401);
    expect(await getResponse([...there.handlers], request(`${place}/more`))).toBeUndefined();
  },
);

it("the text of a body is complete, including a byte order mark", async () => {
  const { body: text } = await signedDelivery({ event: "order.paid", secret });
  const body = `\uFEFF${text}`;
  const headers = await createSignedHeaders({ body, secret, event: "order.paid", deliveryId: "dlv_1" });
  await receiver.fetch(url, { method: "POST", headers, body });
  expect((await receiver.next()).body).toBe(body);
});

it("an empty secret is rejected at once", async () => {
  const refusal = expect.objectContaining({ code: "invalid_secret" });
  expect(() => receiver.trust("")).toThrow(refusal);
  expect((await deliver()).status).toBe(204);
  for (const secrets of ["", ["whsec_1", ""]]) expect(() => mockReceiver({ url, secrets })).toThrow(refusal);
});

describe("reset", () => {
  it("rejects waiting calls of next", async () => {
    const client = new AbortController();
    const removed = vi.spyOn(client.signal, "removeEventListener");
    const waiting = [receiver.next(), receiver.next({ signal: client.signal })];
    receiver.reset();
    for (const late of waiting) await expect(late).rejects.toMatchObject({ code: "reset" });
    expect(removed).toHaveBeenCalledOnce();
    await deliver({ deliveryId: "dlv_1" });
    expect((await receiver.next()).deliveryId).toBe("dlv_1");
  });

  it("ignores a delivery that is being received", async () => {
    receiver.answerWith(500, 204);
    const { request } = await signedDelivery({ event: "order.paid", secret, url });
    const late = receiver.fetch(request());
    receiver.reset();
    receiver.answerWith(202, 204);
    expect((await late).status).toBe(500);
    expect(receiver.deliveries).toEqual([]);
    expect((await deliver({ deliveryId: "dlv_2" })).status).toBe(202);
    expect((await receiver.next()).deliveryId).toBe("dlv_2");
  });
});

describe("waiting for a delivery", () => {
  it("ends when it arrives, for waiting calls in order", async () => {
    const waiting = [receiver.next(), receiver.next()];
    await deliver({ deliveryId: "dlv_1" });
    await deliver({ deliveryId: "dlv_2" });
    await deliver({ deliveryId: "dlv_3" });
    await deliver({ deliveryId: "dlv_4" });
    const taken = [...(await Promise.all(waiting)), await receiver.next(), await receiver.next()];
    expect(taken.map(({ deliveryId }) => deliveryId)).toEqual(["dlv_1", "dlv_2", "dlv_3", "dlv_4"]);
  });

  it("ends with the signal and does not affect later calls", async () => {
    const impatient = new AbortController();
    const first = receiver.next({ signal: impatient.signal });
    const second = receiver.next({ signal: AbortSignal.timeout(10_000) });
    impatient.abort(new Error("enough"));
    await expect(first).rejects.toThrow("enough");
    await deliver({ deliveryId: "dlv_1" });
    expect((await second).deliveryId).toBe("dlv_1");
    await expect(receiver.next({ signal: impatient.signal })).rejects.toThrow("enough");
  });
});

function isFault(name: string): name is DeliveryFault {
  return name in deliveryFaults;
}
