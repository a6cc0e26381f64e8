import { expect, it } from "vitest";
import { mockApi } from "../src/mock-api.ts";
import { signedDelivery } from "../src/delivery/signed-delivery.ts";
import { mockReceiver } from "../src/receiver/mock-receiver.ts";

const rounds = 40;
const requestsInRound = 500;

/** How many times as long as at first it takes when thousands have come, by the quickest rounds of either. */
async function growthOf(send: () => Promise<Response>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    for (let count = 0; count < requestsInRound; count++) await send();
    times.push(performance.now() - startedAt);
  }
  const [early, late] = [times.slice(0, 10), times.slice(-10)].map((some) => Math.min(...some));
  return (late ?? Number.NaN) / (early ?? Number.NaN);
}

it("the twenty-thousandth request is answered as quickly as the first", async () => {
  const api = mockApi({ baseUrl: "https://api.example.com" });
  const headers = { authorization: `Bearer ${api.apiKey}` };
  expect(await growthOf(() => api.fetch(`${api.baseUrl}/v1/me`, { headers }))).toBeLessThan(2.5);
  expect(api.requests).toHaveLength(rounds * requestsInRound);
});

it("the twenty-thousandth delivery is taken as quickly as the first", async () => {
  const url = "https://hooks.example.com/orders";
  const receiver = mockReceiver({ url, secrets: "whsec_mock" });
  const delivery = await signedDelivery({ event: "order.paid", secret: "whsec_mock", url });
  expect(await growthOf(() => receiver.fetch(delivery.request()))).toBeLessThan(2.5);
  expect(receiver.deliveries.at(-1)?.attempt).toBe(rounds * requestsInRound);
  expect(await receiver.next()).toBe(receiver.deliveries[0]);
});

it("what was read of the requests stays as it was", async () => {
  const api = mockApi({ baseUrl: "https://api.example.com" });
  await api.fetch(`${api.baseUrl}/v1/me`);
  const one = api.requests;
  await api.fetch(`${api.baseUrl}/v1/projects`);
  expect([one, api.requests].map(({ length }) => length)).toEqual([1, 2]);
});
