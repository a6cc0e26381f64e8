import { expect, it } from "vitest";
import { mockApi } from "../src/mock-api.ts";
import { signedDelivery } from "../src/delivery/signed-delivery.ts";
import { mockReceiver } from "../src/receiver/mock-receiver.ts";

const rounds = 40;
const requestsInRound = 500;

interface Mocked {
  readonly send: () => Promise<unknown>;
}

/**
 * Returns the ratio of the times with and without thousands of earlier items, by the fastest rounds of each.
 * Rounds alternate, so other load affects both.
 */
async function growthOf(old: Mocked, openNew: () => Mocked): Promise<number> {
  for (let count = 0; count < (rounds - 10) * requestsInRound; count++) await old.send();
  const times = { old: Infinity, new: Infinity };
  for (let round = 0; round < 10; round++) {
    times.new = Math.min(times.new, await timeOf(openNew()));
    times.old = Math.min(times.old, await timeOf(old));
  }
  return times.old / times.new;
}

async function timeOf({ send }: Mocked): Promise<number> {
  const startedAt = performance.now();
  for (let count = 0; count < requestsInRound; count++) await send();
  return performance.now() - startedAt;
}

it("the 20,000th request is answered as fast as the first", async () => {
  const open = () => {
    const api = mockApi({ baseUrl: "https://api.example.com" });
    const headers = { authorization: `Bearer ${api.apiKey}` };
    return { api, send: () => api.fetch(`${api.baseUrl}/v1/me`, { headers }) };
  };
  const old = open();
  expect(await growthOf(old, open)).toBeLessThan(2.5);
  expect(old.api.requests).toHaveLength(rounds * requestsInRound);
});

it("the 20,000th delivery is received as fast as the first", async () => {
  const url = "https://hooks.example.com/orders";
  const delivery = await signedDelivery({ event: "order.paid", secret: "whsec_mock", url });
  const open = () => {
    const receiver = mockReceiver({ url, secrets: "whsec_mock" });
    return { receiver, send: () => receiver.fetch(delivery.request()) };
  };
  const old = open();
  expect(await growthOf(old, open)).toBeLessThan(2.5);
  const { receiver } = old;
  expect(receiver.deliveries.at(-1)?.attempt).toBe(rounds * requestsInRound);
  expect(await receiver.next()).toBe(receiver.deliveries[0]);
});

it("a snapshot of the requests does not change", async () => {
  const api = mockApi({ baseUrl: "https://api.example.com" });
  await api.fetch(`${api.baseUrl}/v1/me`);
  const one = api.requests;
  await api.fetch(`${api.baseUrl}/v1/projects`);
  expect([one, api.requests].map(({ length }) => length)).toEqual([1, 2]);
});
