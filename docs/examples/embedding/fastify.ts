import process from "node:process";
import Fastify from "fastify";
import { announce, hookwright, submitReview } from "./bakery.ts";

const app = Fastify();

await app.register(async (integrations) => {
  // Fastify would read the body before the handler; the API reads its bodies itself.
  integrations.removeAllContentTypeParsers();
  integrations.addContentTypeParser("*", (_request, _payload, done) => done(null));
  integrations.all("/integrations/*", (request, reply) => {
    reply.hijack();
    hookwright.handler(request.raw, reply.raw);
  });
});

app.get("/", async () => "The shop");
app.post("/reviews", async (request, reply) => {
  const { status, text } = await submitReview(request.body);
  return reply.code(status).send(text);
});

const stop = () => void app.close().then(() => hookwright.close());
process.once("SIGTERM", stop).once("SIGINT", stop);

const port = Number(process.env["PORT"] ?? 3000);
await app.listen({ port, host: "127.0.0.1" });
announce(port);
