import { createServer } from "node:http";
import process from "node:process";
import { openPostgresStore } from "@hookwright/storage/postgres";
import express from "express";
import { createHookwright, hardenServer, isHookwrightError, normaliseEmail } from "hookwright";
import type { OrderRepository } from "hookwright";
import { Pool } from "pg";

const { DATABASE_URL, PORT = "3000", HOOKWRIGHT_SECRET: secret = "", HOOKWRIGHT_HOST_TOKEN } = process.env;
const pool = new Pool({ connectionString: DATABASE_URL });
await pool.query(`create table if not exists orders (
  id text collate "C" primary key, account text not null, site text not null,
  placed_at bigint not null, email text not null, data json not null)`);
await pool.query("create index if not exists newest on orders (account, placed_at desc, id desc)");

const byId = "select site as project_id, data from orders where account = $1 and id = $2";
/** Serves `/v1/orders` from the table of the shop. */
const orders: OrderRepository = {
  get: async (account, id) => (await pool.query(byId, [account, id])).rows[0],
  async list(account, { project_id, email, number, status }, { limit, after = [] }) {
    const { rows } = await pool.query(
      `select id, placed_at, site as project_id, data from orders
       where account = $1 and ($2::bigint is null or (placed_at, id) < ($2, $3::text))
         and ($4::text is null or site = $4) and ($5::text is null or email = $5)
         and ($6::text is null or data ->> 'number' = $6) and ($7::text is null or data ->> 'status' = $7)
       order by placed_at desc, id desc limit $8`,
      [account, after[0], after[1], project_id, email, number, status, limit],
    );
    return rows.map(({ id, placed_at: at, ...row }) => ({ position: [Number(at), id], row }));
  },
};

const store = await openPostgresStore({ pool }); // in the schema "hookwright" of the same database
const hookwright = await createHookwright({
  store,
  secret,
  orders,
  basePath: "/integrations",
  hostToken: HOOKWRIGHT_HOST_TOKEN, // opens the host API, which creates accounts, sites and keys over HTTP
  privateTargets: process.env["HOOKWRIGHT_PRIVATE_TARGETS"] === "allow", // permits webhooks to this machine, for trials
});

const app = express();
app.use("/integrations", hookwright.handler); // before express.json(): the API reads its request bodies itself
app.use(express.json());

// The order and its event are in one transaction: both are stored, or neither.
app.post("/orders", async ({ body }, response) => {
  const data = { ...body, id: crypto.randomUUID() };
  const client = await pool.connect();
  try {
    await client.query("begin");
    await hookwright.publishInTransaction(client, { event: "order.created", project_id: "site_shop", data });
    await client.query("insert into orders values ($1, 'acc_bakery', 'site_shop', $2, $3, $4)", [
      data.id,
      Date.parse(data.created_at),
      normaliseEmail(data.customer.email),
      JSON.stringify(data),
    ]);
    await client.query("commit");
    response.status(201).json({ id: data.id });
  } catch (error) {
    await client.query("rollback");
    if (!isHookwrightError(error)) throw error; // Express answers with 500
    response.status(error.status).json({ message: error.message });
  } finally {
    client.release();
  }
});

const server = hardenServer(createServer(app)).listen(Number(PORT), "127.0.0.1", () =>
  console.log(`The shop is at http://127.0.0.1:${PORT}`),
);
async function stop(): Promise<void> {
  await hookwright.close();
  await store.close();
  await pool.end();
}
process.once("SIGTERM", () => server.close(() => void stop()));
