import { expect, it } from "vitest";
import { typeCheckExamples } from "./support/type-check-examples.ts";

const beginning = `
import { createHookwright, type Hookwright, type OrderInput } from "hookwright";
import { z } from "zod";
import { mockApi } from "../../msw/src/index.ts";
declare const plain: Hookwright;
declare const order: { id: string; total: number; shipTo: { street: string; zip: string }; buyer: { fullName: string } };
const events = {
  "refund.issued": {
    schema: z.object({ id: z.string(), amount: z.number() }),
    sample: { id: "r_1", amount: 1 },
    description: "A refund is issued.",
  },
} as const;
declare const own: Awaited<ReturnType<typeof createHookwright<typeof events>>>;
declare const client: { query(text: string, values: string[]): Promise<unknown> };
const project_id = "site_1";
const mock = mockApi({ baseUrl: "https://api.example.com", events });
`;

/** What the compiler says of a line. */
const cases: readonly (readonly [name: string, code: string, message: RegExp])[] = [
  [
    "an address of another shape",
    `await plain.publish({ event: "order.paid", project_id, data: { id: order.id, total: order.total, shipping_address: order.shipTo } });`,
    /.*no properties in common with type '\{[^}]*line1\?/u,
  ],
  [
    "a customer of another shape",
    `await plain.publish({ event: "order.paid", project_id, data: { id: order.id, total: order.total, customer: order.buyer } });`,
    /.*no properties in common with type '\{[^}]*name\?/u,
  ],
  [
    "items of another shape",
    `export const data: OrderInput = { id: order.id, total: order.total, items: [order.shipTo] };`,
    /.*no properties in common with type '\{[^}]*sku\?/u,
  ],
  [
    "a wrong field of an own event",
    `await own.publish({ event: "refund.issued", project_id, data: { id: "r_1", amount: "9.50" } });`,
    /Type 'string' is not assignable to type 'number'\.$/u,
  ],
  [
    "a misspelt field of an own event",
    `await own.publish({ event: "refund.issued", project_id, data: { id: "r_1", amout: 9.5 } });`,
    /.*'amout' does not exist in type '\{ id: string; amount: number; \}/u,
  ],
  [
    "a wrong field of an event of the specification",
    `await own.publish({ event: "order.paid", project_id, data: { id: "o_1", total: 1, note: {} } });`,
    /Type '\{\}' is not assignable to type 'TextInput/u,
  ],
  [
    "a wrong field in a transaction",
    `await own.publishInTransaction(client, { event: "refund.issued", project_id, data: { id: "r_1", amount: "9.50" } });`,
    /Type 'string' is not assignable to type 'number'\.$/u,
  ],
  [
    "an unknown event",
    `await own.publish({ event: "refund.isued", project_id, data: { id: "r_1", amount: 1 } });`,
    /.*refund\.isued"' is not assignable to type '.*"refund\.issued"/u,
  ],
  [
    "an unknown event that is validated",
    `await own.validateEvent({ event: "refund.isued", project_id, data: {} });`,
    /.*refund\.isued"' is not assignable to type '.*"refund\.issued"/u,
  ],
  [
    "a wrong field of an own event of the mock",
    `mock.publish("refund.issued", { id: "r_1", amount: "9.50" });`,
    /Type 'string' is not assignable to type 'number'\./u,
  ],
  [
    "a wrong field of an event of the specification of the mock",
    `mock.publish("order.paid", { id: "o_1", note: 7 });`,
    /Type 'number' is not assignable to type 'string'\./u,
  ],
];

it("the compiler points at the wrong field of the right event", { timeout: 60_000 }, () => {
  const place = "packages/hookwright/src/index.ts:1";
  const code = `${beginning}${cases.map(([, line]) => line).join("\n")}`;
  const before = beginning.split("\n").length;
  const problems = typeCheckExamples([{ place, info: "", code }]);
  expect(problems).toEqual(
    cases.map(([, , message], index) =>
      expect.stringMatching(
        new RegExp(`^${place}, line ${before + index} of the block: ${message.source}`, "u"),
      ),
    ),
  );
});
