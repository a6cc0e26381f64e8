import { sampleDeliveryBody } from "@hookwright/domain";
import { createHookwright } from "hookwright";
import type { Hookwright, Order } from "hookwright";
import { openPostgresStore } from "@hookwright/storage/postgres";
import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import postgresJs from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as drizzle from "../examples/embedding/postgres/drizzle.ts";
import * as kysely from "../examples/embedding/postgres/kysely.ts";
import * as postgresJsExample from "../examples/embedding/postgres/postgres-js.ts";
import { makeFolder } from "./support/make-folder.ts";
import { openReceiver } from "./support/open-receiver.ts";
import { hasPostgresServer, startPostgresServer } from "./support/postgres-server.ts";
import { startExample } from "./support/start-example.ts";

const secret = "a test secret of 32 characters!!";
const hostToken = "host-token-of-the-shop";
const { id: _, ...order } = sampleDeliveryBody("order.created").data;

async function send(url: string, token: string, body?: unknown, method = "POST"): Promise<Response> {
  return fetch(url, {
    method: body === undefined ? "GET" : method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

describe.runIf(hasPostgresServer)("the shop on PostgreSQL", () => {
  it("stores orders and publishes them in one transaction, serves them, and exits with code 0", async () => {
    await using postgres = await startPostgresServer();
    await using receiver = await openReceiver();
    const environment = {
      DATABASE_URL: postgres.url,
      HOOKWRIGHT_SECRET: secret,
      HOOKWRIGHT_HOST_TOKEN: hostToken,
      HOOKWRIGHT_PRIVATE_TARGETS: "allow",
    };
    const folder = await makeFolder();
    const start = () => startExample("embedding/postgres/shop", environment, { folder });
    await using server = await start();
    const api = `${server.origin}/integrations`;
    const account = { name: "Bakery", email: "owner@example.com" };
    await send(`${api}/host/v1/accounts/acc_bakery`, hostToken, account, "PUT");
    const site = { account_id: "acc_bakery", name: "Shop" };
    await send(`${api}/host/v1/projects/site_shop`, hostToken, site, "PUT");
    const created = await send(`${api}/host/v1/accounts/acc_bakery/api-keys`, hostToken, { name: "test" });
    const { api_key: apiKey } = (await created.json()).data;
    const webhook = { event: "order.created", target_url: receiver.url };
    const subscribed = await send(`${api}/v1/webhooks`, apiKey, webhook);
    receiver.secrets.push((await subscribed.json()).data.signing_secret);

    const placed = await send(`${server.origin}/orders`, "", order);
    expect(placed.status).toBe(201);
    const { id } = await placed.json();
    expect(await receiver.arrived).toMatchObject({
      id: `order.created_${id}`,
      data: { number: order.number },
    });
    expect(await (await send(`${api}/v1/orders/${id}`, apiKey)).json()).toMatchObject({ data: { id } });
    const paged = await send(`${api}/v1/orders?limit=1&email=${order.customer.email}`, apiKey);
    expect(await paged.json()).toMatchObject({ data: [{ id }], meta: { has_more: false } });

    // Neither the order nor the event of a refused order is stored.
    const refused = await send(`${server.origin}/orders`, "", { ...order, total: "a lot" });
    expect([refused.status, await refused.json()]).toMatchObject([422, { message: expect.any(String) }]);
    expect(await postgres.run("select count(*)::int as orders from orders")).toEqual([{ orders: 1 }]);
    expect(await postgres.run("select * from hookwright.outbox")).toEqual([]);
    expect(await postgres.run("select * from hookwright.outbox_rejected")).toEqual([]);

    expect(await server.stop()).toEqual({ code: 0, signal: null });

    // A new process knows no site yet, and its pool has ten connections.
    await using fresh = await start();
    const orders = Array.from({ length: 100 }, () => send(`${fresh.origin}/orders`, "", order));
    const statuses = (await Promise.all(orders)).map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: 100 }, () => 201));
    expect(await fresh.stop()).toEqual({ code: 0, signal: null });
  }, 60_000);
});

describe.runIf(hasPostgresServer)("the transaction of another library", () => {
  let server: Awaited<ReturnType<typeof startPostgresServer>>;
  let hookwright: Hookwright;
  const closing = new AsyncDisposableStack();
  beforeAll(async () => {
    server = closing.use(await startPostgresServer());
    await server.run("create table orders (id text primary key, data json not null)");
    const store = closing.use(await openPostgresStore({ url: server.url }));
    hookwright = closing.use(await createHookwright({ store, secret, role: "api" }));
    await hookwright.accounts.put("acc_bakery", { name: "Bakery", email: "owner@example.com" });
    await hookwright.projects.put("site_shop", { account_id: "acc_bakery", name: "Shop" });
  });
  afterAll(() => closing.disposeAsync());

  it.each<[string, (order: Order) => Promise<void>]>([
    [
      "Drizzle",
      async (data) => {
        const pool = new Pool({ connectionString: server.url });
        await drizzle.placeOrder(hookwright, pool, data).finally(() => pool.end());
      },
    ],
    [
      "Kysely",
      async (data) => {
        const pool = new Pool({ connectionString: server.url });
        await using db = new Kysely<kysely.Database>({ dialect: new PostgresDialect({ pool }) });
        await kysely.placeOrder(hookwright, db, data);
      },
    ],
    [
      "postgres.js",
      async (data) => {
        const sql = postgresJs(server.url);
        await postgresJsExample.placeOrder(hookwright, sql, data).finally(() => sql.end());
      },
    ],
  ])("stores an order with its event, or neither: %s", async (name, place) => {
    const data = { ...sampleDeliveryBody("order.created").data, id: name };
    await place(data);
    // The order is there, so the transaction fails before the event.
    await expect(place(data)).rejects.toThrow(/duplicate key|Failed query/u);
    const query = `select (select count(*)::int from orders where id = '${name}') as orders, project_id, data ->> 'id' as id
      from hookwright.outbox where data ->> 'id' = '${name}'`;
    expect(await server.run(query)).toEqual([{ orders: 1, project_id: "site_shop", id: name }]);
  });
});
