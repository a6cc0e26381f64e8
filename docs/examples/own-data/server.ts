import { createServer } from "node:http";
import process from "node:process";
import { close, hookwright } from "./shop.ts";

const keys = await hookwright.apiKeys.list("acc_bakery", { limit: 1 });
if (keys.rows.length === 0) {
  const { api_key } = await hookwright.apiKeys.create("acc_bakery", { name: "Example" });
  console.log(`API key, shown only now: ${api_key}`);
}

const server = createServer(hookwright.handler);
const port = Number(process.env["PORT"] ?? 3000);
server.listen(port, "127.0.0.1", () => console.log(`The API is at http://127.0.0.1:${port}/v1`));

const stop = () => server.close(() => void close());
process.once("SIGTERM", stop).once("SIGINT", stop);
