import process from "node:process";
import Fastify from "fastify";
import { receive } from "./receive.ts";

const app = Fastify();

await app.register(async (webhooks) => {
  // Only in this plugin, JSON is not parsed: the body stays the bytes that were signed.
  webhooks.removeContentTypeParser("application/json");
  const raw = { parseAs: "buffer", bodyLimit: 2 ** 23 } as const;
  webhooks.addContentTypeParser<Buffer>("application/json", raw, (_request, body, done) => done(null, body));
  webhooks.post<{ Body: Buffer | undefined }>("/webhooks", async (request, reply) =>
    reply.code(await receive({ body: request.body ?? "", headers: request.headers })).send(),
  );
});

const port = Number(process.env["PORT"] ?? 8080);
await app.listen({ port, host: "127.0.0.1" });
console.log(`http://127.0.0.1:${port}/webhooks`);
