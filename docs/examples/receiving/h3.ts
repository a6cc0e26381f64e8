import { createServer } from "node:http";
import process from "node:process";
import { bodyLimit, H3 } from "h3";
import { toNodeHandler } from "h3/node";
import { receive } from "./receive.ts";

const app = new H3().post(
  "/webhooks",
  async ({ req, res }) => {
    // Not readBody(), which parses.
    res.status = await receive({ body: await req.arrayBuffer(), headers: req.headers });
    return "";
  },
  { middleware: [bodyLimit(2 ** 23)] },
);

const port = Number(process.env["PORT"] ?? 8080);
createServer(toNodeHandler(app)).listen(port, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${port}/webhooks`);
});
