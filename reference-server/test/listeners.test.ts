import { request as httpRequest } from "node:http";
import type { IncomingMessage } from "node:http";
import { createServer as createHttpsServer, request as httpsRequest } from "node:https";
import { verifySync } from "@hookwright/signature/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { createCertificate } from "../../packages/delivery/test/transport/support/certificate.ts";
import { openEventStream } from "../../packages/hookwright/test/end-to-end/support/event-stream.ts";
import type { EventStream } from "../../packages/hookwright/test/end-to-end/support/event-stream.ts";
import { startOn, until } from "./support/fleet.ts";
import { call, createAccount, hostToken, publishOrder } from "./support/host-api.ts";
import { hasPostgresServer, startPostgresServer } from "./support/postgres-server.ts";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";
import { startServer } from "./support/server-process.ts";
import type { ServerProcess } from "./support/server-process.ts";
import { listenLocally } from "../../packages/hookwright/test/support/listen-locally.ts";

type Server = Pick<ServerProcess, "url">;

async function createListener(server: Server, token: string) {
  const { id, signing_secret: secret } = await call(server, "/developer/v1/listeners", {
    method: "POST",
    token,
    body: {},
  });
  return { listenerId: String(id), secret: String(secret) };
}

async function createKey(server: Server) {
  const { id, api_key: token } = await call(server, "/host/v1/accounts/acc_1/api-keys", {
    method: "POST",
    body: { name: "other" },
  });
  return { id: String(id), token: String(token) };
}

function recordsOf({ deliveries }: EventStream): string[] {
  return deliveries.map(({ body }) => String(JSON.parse(body).data.id));
}

describe.each([
  ["Redis", hasRedisServer, startRedisServer],
  ["PostgreSQL", hasPostgresServer, startPostgresServer],
] as const)("processes on one %s", (name, exists, start) => {
  const tags = name === "Redis" ? [] : ["long"];
  it.runIf(exists)(
    "stream the events that others publish, and continue each other's streams",
    { tags },
    async () => {
      await using storage = await start();
      await using first = await startOn(storage.url, "api");
      await using second = await startOn(storage.url, "api");
      const { apiKey: token } = await createAccount(first);
      const { listenerId, secret } = await createListener(first, token);
      await using stream = await openEventStream({ origin: first.url, listenerId, token });
      const publishedAt = performance.now();
      await publishOrder(second, "ord_1");
      await until(() => stream.deliveries.length === 1);
      // A lost notification would delay it by 15 s.
      expect(performance.now() - publishedAt).toBeLessThan(5_000);
      for (const { headers, body } of stream.deliveries) verifySync({ headers, body, secrets: secret });
      const key = await createKey(first);
      const owned = await createListener(first, key.token);
      await using revoked = await openEventStream({
        origin: first.url,
        listenerId: owned.listenerId,
        token: key.token,
      });
      await until(() => revoked.comments.length === 1);
      await call(second, `/host/v1/api-keys/${key.id}/revoke`, { method: "POST" });
      const revokedAt = performance.now();
      await revoked.ended;
      expect(performance.now() - revokedAt).toBeLessThan(2_000);
      await first.kill9();
      await stream.ended;
      await publishOrder(second, "ord_2");
      const lastEventId = stream.deliveries[0]?.id;
      await using resumed = await openEventStream({ origin: second.url, listenerId, token, lastEventId });
      await publishOrder(second, "ord_3");
      await until(() => resumed.deliveries.length === 2);
      expect(recordsOf(resumed)).toEqual(["ord_2", "ord_3"]);
    },
  );
});

const environment = { HOOKWRIGHT_HOST_TOKEN: hostToken };

describe("a server on file", () => {
  it("ends its streams at once when it stops, and continues them after a restart", async () => {
    await using server = await startServer({ env: environment });
    const { apiKey: token } = await createAccount(server);
    const { listenerId } = await createListener(server, token);
    await using stream = await openEventStream({ origin: server.url, listenerId, token });
    await publishOrder(server, "ord_1");
    await until(() => stream.deliveries.length === 1);
    const stoppedAt = performance.now();
    expect((await server.stop()).code).toBe(0);
    // Without the end of its streams, it would wait for 14 s.
    expect(performance.now() - stoppedAt).toBeLessThan(10_000);
    await stream.ended;
    await using again = await startServer({ env: environment, directory: server.directory });
    await publishOrder(again, "ord_2");
    const lastEventId = stream.deliveries[0]?.id;
    await using resumed = await openEventStream({ origin: again.url, listenerId, token, lastEventId });
    await until(() => resumed.deliveries.length === 1);
    expect(recordsOf(resumed)).toEqual(["ord_2"]);
  });

  it("streams through a reverse proxy with TLS", async () => {
    await using server = await startServer({ env: environment });
    const { apiKey: token } = await createAccount(server);
    const { listenerId } = await createListener(server, token);
    const certificate = createCertificate({ name: "127.0.0.1" });
    const upstream = new URL(server.url);
    const proxy = createHttpsServer(certificate, (incoming, outgoing) => {
      const { method, url, headers } = incoming;
      const forwarded = httpRequest({
        host: upstream.hostname,
        port: upstream.port,
        method,
        path: url,
        headers,
      });
      forwarded.on("response", (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      });
      outgoing.on("close", () => forwarded.destroy());
      incoming.pipe(forwarded);
    });
    await using local = await listenLocally(proxy);
    const asked = httpsRequest({
      host: "127.0.0.1",
      port: local.port,
      path: `/developer/v1/listeners/${listenerId}/events`,
      headers: { authorization: `Bearer ${token}` },
      ca: certificate.cert,
    }).end();
    onTestFinished(() => void asked.destroy());
    const response = await new Promise<IncomingMessage>((resolve) => asked.on("response", resolve));
    expect(response.headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    let text = "";
    response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    await publishOrder(server, "ord_1");
    await until(() => text.includes("event: delivery"));
    expect(text).toContain("order.created_ord_1");
  });
});
