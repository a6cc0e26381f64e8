import fc from "fast-check";
import { expect, it } from "vitest";
import { mockApi } from "../src/mock-api.ts";
import type { MockApi } from "../src/mock-api.ts";

async function ask(api: MockApi, path: string) {
  const request = new Request(api.baseUrl + path, { headers: { authorization: `Bearer ${api.apiKey}` } });
  const answer: Page = await (await api.fetch(request)).json();
  return answer;
}

interface Page {
  readonly data: readonly { readonly id: string; readonly created_at: string }[];
  readonly meta: { readonly has_more: boolean; readonly next_cursor: string | null };
}

it("pages return each order once and in order, despite concurrent changes", async () => {
  const day = fc.integer({ min: 1, max: 9 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(day, { maxLength: 30 }),
      fc.array(day, { maxLength: 5 }),
      fc.integer({ min: 1, max: 12 }),
      async (days, later, limit) => {
        const api = mockApi({ baseUrl: "https://api.example.com" });
        const publish = (id: string, dayOfMonth: number) =>
          api.publish("order.created", { id, created_at: `2026-11-0${dayOfMonth}T09:30:00Z` });
        days.forEach((dayOfMonth, index) => publish(`ord_${index}`, dayOfMonth));
        const whole = await ask(api, "/v1/orders?limit=100");
        const pages: Page[] = [];
        const mostPages = days.length + later.length + 1;
        let cursor: string | null = "";
        while (cursor !== null && pages.length <= mostPages) {
          pages.push(await ask(api, `/v1/orders?limit=${limit}&cursor=${cursor}`));
          cursor = pages.at(-1)?.meta.next_cursor ?? null;
          const next = later[pages.length];
          if (next !== undefined) publish(`late_${pages.length}`, next);
        }
        const shown = pages.flatMap(({ data }) => data);
        expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length);
        const early = shown.filter(({ id }) => id.startsWith("ord_"));
        expect(early).toEqual(whole.data);
        const times = shown.map(({ created_at }) => created_at);
        expect(times).toEqual(times.toSorted().toReversed());
        expect(pages.slice(0, -1).every(({ data, meta }) => meta.has_more && data.length === limit)).toBe(
          true,
        );
        expect(pages.at(-1)?.meta.has_more).toBe(false);
      },
    ),
  );
});

it("a cursor with a changed character is rejected", async () => {
  const api = mockApi({ baseUrl: "https://api.example.com", seed: { projects: [{ id: "a" }, { id: "b" }] } });
  const { meta } = await ask(api, "/v1/projects?limit=1");
  const cursor = meta.next_cursor ?? "";
  await fc.assert(
    fc.asyncProperty(fc.nat(cursor.length - 1), fc.constantFrom(..."aB0-_."), async (at, character) => {
      fc.pre(cursor[at] !== character);
      const changed = cursor.slice(0, at) + character + cursor.slice(at + 1);
      expect(await ask(api, `/v1/projects?limit=1&cursor=${changed}`)).toMatchObject({
        error: { code: "invalid_cursor" },
      });
    }),
  );
});

it("orders of one second are ordered by milliseconds", async () => {
  const api = mockApi({ baseUrl: "https://api.example.com" });
  for (const [id, milliseconds] of [
    ["ord_b", "500"],
    ["ord_c", "900"],
    ["ord_a", "100"],
  ] as const)
    api.publish("order.created", { id, created_at: `2026-11-21T00:00:00.${milliseconds}Z` });
  // Publishing data from the API does not move a record.
  api.publish("order.paid", { id: "ord_c", created_at: "2026-11-21T00:00:00Z" });
  const { data } = await ask(api, "/v1/orders");
  expect(data.map(({ id }) => id)).toEqual(["ord_c", "ord_b", "ord_a"]);
});

it("new subscribers of one second are ordered by milliseconds", async () => {
  const api = mockApi({
    baseUrl: "https://api.example.com",
    now: () => Date.parse("2026-11-21T00:00:00.500Z"),
  });
  const subscribed = await api.fetch(
    new Request(`${api.baseUrl}/v1/subscribers`, {
      method: "POST",
      headers: { authorization: `Bearer ${api.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ project_id: "site_1", email: "ada@example.com" }),
    }),
  );
  expect(subscribed.status).toBe(201);
  for (const [id, milliseconds] of [
    ["sub_earlier", "100"],
    ["sub_later", "900"],
  ] as const)
    api.publish("subscriber.created", { id, created_at: `2026-11-21T00:00:00.${milliseconds}Z` });
  const { data } = await ask(api, "/v1/event-types/subscriber.created/samples");
  expect(data.map(({ id }) => id)).toEqual([
    "subscriber.created_sub_later",
    expect.stringMatching(/^subscriber\.created_sub_[0-9a-f]{32}$/),
    "subscriber.created_sub_earlier",
  ]);
});
