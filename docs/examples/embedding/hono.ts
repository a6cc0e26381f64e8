import { createServer } from "node:http";
import process from "node:process";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { validator } from "hono/validator";
import { hardenServer } from "hookwright";
import { announce, close, hookwright, submitReview } from "./bakery.ts";

const limited = bodyLimit({
  maxSize: 2 ** 20,
  // Hono's Node server closes the connection. The header tells the client so.
  onError: (context) => context.text("The review is too large.", 413, { connection: "close" }),
});
const json = validator("json", (body) => body); // answers 400 to a body that is not JSON

const app = new Hono()
  .all("/integrations/*", (context) => hookwright.fetch(context.req.raw)) // and /integrations itself
  .get("/", (context) => context.text("The shop"))
  .post("/reviews", limited, json, async (context) => {
    const { status, text } = await submitReview(context.req.valid("json"));
    return new Response(text, { status });
  });

const port = Number(process.env["PORT"] ?? 3000);
const server = hardenServer(createServer(getRequestListener(app.fetch)));
server.listen(port, "127.0.0.1", () => announce(port));

const stop = () => server.close(() => void close());
process.once("SIGTERM", stop).once("SIGINT", stop);
