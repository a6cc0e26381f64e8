import process from "node:process";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { receive } from "./receive.ts";

const app = new Hono().post("/webhooks", bodyLimit({ maxSize: 2 ** 23 }), async ({ req }) => {
  // Not req.json(), which parses.
  const status = await receive({ body: await req.arrayBuffer(), headers: req.raw.headers });
  return new Response(null, { status });
});

const port = Number(process.env["PORT"] ?? 8080);
serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () =>
  console.log(`http://127.0.0.1:${port}/webhooks`),
);
