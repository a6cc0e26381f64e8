import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../bootstrap/workspace.mjs";
import { readAllExamples } from "./support/read-examples.ts";
import { readDocstringExamples } from "./support/read-docstring-examples.ts";
import { typeCheckDocstrings } from "./support/type-check-docstrings.ts";
import { typeCheckExamples, typeCheckFiles } from "./support/type-check-examples.ts";

// All programs of the compiler are in this file, because they share the parsed sources of the packages.

describe("the compiler", { timeout: 180_000 }, () => {
  const checked = readAllExamples(ROOT).filter(({ info }) => !info.startsWith("file="));

  it("accepts all examples, including those that are not run, and refuses a type error", () => {
    const wrong = { place: "page.md:1", info: "", code: `export const a: string = 1;` };
    expect(typeCheckExamples([...checked, wrong])).toEqual([
      expect.stringMatching(/^page\.md:1, line 1 of the block: Type 'number' is not assignable/u),
    ]);
  });

  // Node's types differ from the DOM types: `json()` returns `unknown`.
  it("accepts them with Node's types only, and refuses a wrong argument of the mocks' `fetch`", () => {
    const code = `import { mockApi, mockReceiver } from "@hookwright/msw";
const { fetch: askApi } = mockApi({ baseUrl: "https://api.example.com" });
const { fetch: deliver } = mockReceiver({ url: "https://hooks.example.com" });
// @ts-expect-error a number is no request
void askApi(1);
// @ts-expect-error nor here
void deliver(1);`;
    const mocks = { place: "packages/msw/README.md:1", info: "", code };
    expect(typeCheckExamples([...checked, mocks], { lib: ["ES2024", "ESNext.Disposable"] })).toEqual([]);
  });
});

it("the tsconfig.json of the embedding guide checks the files of the guides", { timeout: 60_000 }, () => {
  const guide = readFileSync(path.join(ROOT, "docs/guide/embedding.md"), "utf8");
  const [, json = ""] = /^```json\n([\s\S]*?)^```/mu.exec(guide) ?? [];
  const files = ["embedding/node-http.ts", "own-data/server.ts", "receiving/node-http.ts"];
  expect(
    typeCheckFiles(
      files.map((file) => path.join(ROOT, "docs/examples", file)),
      json,
    ),
  ).toEqual([]);
});

const docstrings = globSync("packages/*/src/**/*.ts", { cwd: ROOT }).flatMap((file) =>
  readDocstringExamples(file, readFileSync(path.join(ROOT, file), "utf8")),
);

const refused = [
  ["that passes a wrong type", "createCursorCodec({ secret: process.env.SECRET });", /undefined/u],
  ["that passes an unknown option", "createCursorCodec({ secret, limit: 1 });", /'limit' does not exist/u],
  [
    "that imports a name that does not exist",
    'import { gone } from "@hookwright/cursor"; gone();',
    /'gone'/u,
  ],
] as const;
const placeOf = (index: number): string => `packages/cursor/src/refused-${index}.ts:1`;

describe("an example of a docstring", () => {
  /** All in one program, because each takes seconds. */
  let problems: readonly string[];
  beforeAll(() => {
    problems = typeCheckDocstrings([
      ...docstrings,
      ...refused.map(([, code], index) => ({ place: placeOf(index), code })),
    ]);
  }, 180_000);

  it("compiles, except for undeclared names", () => {
    expect(docstrings.length).toBeGreaterThan(40);
    expect(problems.filter((problem) => !problem.includes("/refused-"))).toEqual([]);
  });

  it.each(refused.map(([name, , problem], index) => [name, problem, index] as const))(
    "is refused %s",
    (_, problem, index) => {
      const first = problems.find((each) => each.startsWith(placeOf(index)));
      expect(first).toMatch(problem);
    },
  );
});

it("an example ends at the end of its comment or at the next tag; examples with `…` are skipped", () => {
  const source = `
/**
 * A call.
 *
 * @example
 * const a = call("ada@example.com");
 * a.done();
 *
 * @throws never
 */
/** Another. @example call(1) // 2 */
/** @example call({ …, a: 1 }) */
`;
  expect(readDocstringExamples("a.ts", source)).toEqual([
    { place: "a.ts:5", code: 'const a = call("ada@example.com");\na.done();' },
    { place: "a.ts:11", code: "call(1) // 2" },
  ]);
});

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
