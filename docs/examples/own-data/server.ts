import { createServer } from "node:http";
import process from "node:process";
import { hookwright } from "./shop.ts";

const { api_key } = await hookwright.apiKeys.create("acc_bakery", { name: "Example" });
const server = createServer(hookwright.handler);

const port = Number(process.env["PORT"] ?? 3000);
server.listen(port, "127.0.0.1", () => {
  console.log(`Try: curl -H "Authorization: Bearer ${api_key}" http://127.0.0.1:${port}/v1/contacts`);
});

const stop = () => server.close(() => void hookwright.close());
process.once("SIGTERM", stop).once("SIGINT", stop);
