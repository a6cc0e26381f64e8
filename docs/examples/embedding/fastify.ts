import process from "node:process";
import Fastify from "fastify";
import { hardenServer } from "hookwright";
import { hookwrightPlugin } from "hookwright/fastify";
import { announce, close, hookwright, submitReview } from "./bakery.ts";

const app = Fastify();
hardenServer(app.server);

await app.register(hookwrightPlugin, { hookwright });

app.get("/", async () => "The shop");
app.post("/reviews", async (request, reply) => {
  const { status, text } = await submitReview(request.body);
  return reply.code(status).send(text);
});

const stop = () => void app.close().then(close);
process.once("SIGTERM", stop).once("SIGINT", stop);

const port = Number(process.env["PORT"] ?? 3000);
await app.listen({ port, host: "127.0.0.1" });
announce(port);
