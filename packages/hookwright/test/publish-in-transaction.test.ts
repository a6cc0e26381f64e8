import { parseJson } from "@hookwright/domain";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { createHookwright } from "../src/index.ts";
import { publishInTransaction } from "../src/postgres.ts";

const event = { event: "order.paid", project_id: "site_1", data: { id: 17, total: "9.50" } } as const;

/** A client of `pg` in a transaction. It records its statements. */
function createClient(error?: unknown) {
  const statements: (readonly [string, readonly string[]])[] = [];
  return {
    statements,
    getTransactionStatus: () => "T",
    async query(text: string, values: string[]) {
      statements.push([text, values]);
      if (error !== undefined) throw error;
    },
  };
}

/** An object that passes statements to another library. It cannot say whether it is in a transaction. */
function wrap({ query, statements }: ReturnType<typeof createClient>) {
  return { query, statements };
}

it("inserts the event as texts, whatever the client is", async () => {
  const client = createClient();
  await publishInTransaction(client, event);
  await publishInTransaction(client, event, { schema: "hooks" });
  const values = ["order.paid", "site_1", '{"id":17,"total":"9.50"}'];
  expect(client.statements).toEqual([
    [
      "insert into hookwright.outbox (event, project_id, data) values ($1::text, $2::text, $3::text::jsonb)",
      values,
    ],
    [
      "insert into hooks.outbox (event, project_id, data) values ($1::text, $2::text, $3::text::jsonb)",
      values,
    ],
  ]);
});

it("writes values of libraries as publish reads them", async () => {
  const client = createClient();
  const decimal = { toNumber: () => 9.5, toJSON: () => "9.50" };
  await publishInTransaction(client, {
    event: "order.created",
    project_id: "site_1",
    data: { id: 2n ** 60n, total: decimal, created_at: new Date(0), number: undefined, note: "a\ud800" },
  });
  expect(parseJson(client.statements[0]?.[1][2] ?? "")).toEqual({
    id: 2n ** 60n,
    total: "9.50",
    created_at: "1970-01-01T00:00:00.000Z",
    note: "a\ufffd",
  });
});

it("asks a client that cannot tell whether it is in a transaction, and leaves no savepoint", async () => {
  const client = wrap(createClient());
  await publishInTransaction(client, event);
  expect(client.statements.map(([text]) => text.split(" (")[0])).toEqual([
    "savepoint hookwright",
    "release savepoint hookwright",
    "insert into hookwright.outbox",
  ]);
});

const outside = { code: "25P01" };

it.each([
  ["pg", Object.assign(new Error("no"), outside)],
  ["a library that wraps errors", new Error("no", { cause: Object.assign(new Error("no"), outside) })],
  ["Prisma 6", Object.assign(new Error("no"), { code: "P2010", meta: outside })],
  [
    "Prisma 7",
    Object.assign(new Error("no"), {
      code: "P2010",
      meta: { driverAdapterError: { cause: { originalCode: "25P01" } } },
    }),
  ],
])("refuses a client outside of a transaction, as %s reports it", async (_, error) => {
  const client = wrap(createClient(error));
  await expect(publishInTransaction(client, event)).rejects.toMatchObject({
    code: "invalid_argument",
    message: expect.stringMatching(/not in a transaction.*Nothing was published.*`begin`/u),
  });
  expect(client.statements.map(([text]) => text)).toEqual(["savepoint hookwright"]);
});

it("passes on other errors of the client", async () => {
  const lost = new Error("the connection is lost");
  await expect(publishInTransaction(wrap(createClient(lost)), event)).rejects.toBe(lost);
});

it("an instance knows its own events", async () => {
  await using hookwright = await createHookwright({
    store: memoryStore(),
    secret: "a test secret of 32 characters!!",
    events: {
      "membership.expired": {
        schema: z.object({ id: z.string(), plan: z.string() }),
        sample: { id: "m_1", plan: "Gold" },
        description: "A membership has expired.",
      },
    },
  });
  await hookwright.accounts.put("acc_1", { name: "Bakery", email: "owner@example.com" });
  await hookwright.projects.put("site_1", { account_id: "acc_1", name: "Shop" });
  const client = createClient();
  const own = {
    event: "membership.expired",
    project_id: "site_1",
    data: { id: "m_2", plan: "Gold" },
  } as const;
  await hookwright.publishInTransaction(client, own, { schema: "hooks" });
  expect(client.statements.map(([, values]) => values)).toEqual([
    ["membership.expired", "site_1", '{"id":"m_2","plan":"Gold"}'],
  ]);
  const invalid = { ...own, data: { id: "m_2", plan: 7 } };
  // @ts-expect-error the plan is a text
  const refused = hookwright.publishInTransaction(client, invalid, { schema: "hooks" });
  await expect(refused).rejects.toMatchObject({
    code: "validation_failed",
    message: expect.stringContaining("plan"),
  });
  expect(client.statements).toHaveLength(1);
});

it("an instance checks what the relay will read: dates are texts there", async () => {
  await using hookwright = await createHookwright({
    store: memoryStore(),
    secret: "a test secret of 32 characters!!",
    events: {
      "membership.ended": {
        schema: z.object({ id: z.string(), at: z.date() }),
        sample: { id: "m_1", at: new Date(0) },
        description: "A membership has ended.",
      },
    },
  });
  await hookwright.accounts.put("acc_1", { name: "Bakery", email: "owner@example.com" });
  await hookwright.projects.put("site_1", { account_id: "acc_1", name: "Shop" });
  const client = createClient();
  const own = {
    event: "membership.ended",
    project_id: "site_1",
    data: { id: "m_2", at: new Date(0) },
  } as const;
  await expect(hookwright.publishInTransaction(client, own, { schema: "hooks" })).rejects.toMatchObject({
    code: "validation_failed",
    message: expect.stringContaining("data.at"),
  });
  expect(client.statements).toEqual([]);
});

const cyclic: Record<string, unknown> = { id: 1, total: 1 };
cyclic["self"] = cyclic;

it.each([
  ["an unknown event", { ...event, event: "order.shipped" }, "unknown_event", "order.shipped"],
  ["no site", { ...event, project_id: " " }, "validation_failed", "project_id: is required"],
  ["an invalid field", { ...event, data: { id: 17 } }, "validation_failed", "data.total"],
  ["data that is no object", { ...event, data: [] }, "validation_failed", "data: is required"],
  ["no event at all", undefined, "validation_failed", "body: must be an object"],
  ["as_of", { ...event, as_of: new Date() }, "validation_failed", "as_of: cannot be used"],
  ["U+0000", { ...event, data: { ...event.data, note: "a\0" } }, "validation_failed", "U+0000"],
  ["cyclic data", { ...event, data: cyclic }, "validation_failed", "data: cannot be written as JSON"],
])("refuses %s before it writes", async (_, input, code, message) => {
  const client = createClient();
  // @ts-expect-error a program without types
  const publishing = publishInTransaction(client, input);
  await expect(publishing).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
  });
  expect(client.statements).toEqual([]);
});

it("accepts text that only looks like U+0000", async () => {
  const client = createClient();
  await publishInTransaction(client, { ...event, data: { ...event.data, note: String.raw`\u0000 \\u0000` } });
  expect(client.statements).toHaveLength(1);
});

it.each([
  ["a schema that needs quotes", createClient(), "Shop; drop table orders"],
  ["a client without query", {}, undefined],
  ["no client", undefined, undefined],
  ["a pool", { ...createClient(), totalCount: 1, connect() {} }, undefined],
])("refuses %s", async (_, client, schema) => {
  // @ts-expect-error a program without types
  const publishing = publishInTransaction(client, event, { schema });
  await expect(publishing).rejects.toMatchObject({ code: "invalid_argument" });
});

it("explains the errors of PostgreSQL, also if a library has wrapped them", async () => {
  const failing = async (code: string, client: object = {}) => {
    const cause = Object.assign(new Error("it said no"), { code });
    const wrapped = new Error("the query failed", { cause });
    return publishInTransaction({ ...createClient(wrapped), ...client }, event).then(
      () => "",
      (error: unknown) => String(error),
    );
  };
  expect(await failing("42501", { user: "app" })).toMatch(
    /The role app may not insert into hookwright\.outbox .*grant insert on hookwright\.outbox to "app"/u,
  );
  expect(await failing("42501")).toMatch(/The role of the transaction may not insert/u);
  expect(await failing("42P01")).toMatch(
    /There is no table hookwright\.outbox.*hookwright migrate --outbox/u,
  );
  expect(await failing("40001")).toBe("Error: the query failed");
});

it("an instance without an outbox names the option", async () => {
  await using hookwright = await createHookwright({ store: memoryStore(), secret: "s".repeat(32) });
  await expect(hookwright.publishInTransaction(createClient(), event)).rejects.toMatchObject({
    code: "invalid_option",
    option: "outbox",
  });
});

it("an instance publishes into a schema that the call names", async () => {
  await using hookwright = await createHookwright({ store: memoryStore(), secret: "s".repeat(32) });
  await hookwright.accounts.put("acc_1", { email: "owner@example.com" });
  await hookwright.projects.put("site_1", { account_id: "acc_1", name: "Shop" });
  const client = createClient();
  await hookwright.publishInTransaction(client, event, { schema: "hooks" });
  expect(client.statements[0]?.[0]).toContain("insert into hooks.outbox");
});

it("the types know the events", () => {
  const check = (client: ReturnType<typeof createClient>): void => {
    // @ts-expect-error an order needs a total
    void publishInTransaction(client, { event: "order.paid", project_id: "site_1", data: { id: 1 } });
    // @ts-expect-error there is no such event
    void publishInTransaction(client, { ...event, event: "order.shipped" });
  };
  expectTypeOf(check).toBeFunction();
});
