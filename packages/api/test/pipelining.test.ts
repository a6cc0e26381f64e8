import { once } from "node:events";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import express from "express";
import { describe, expect, it, vi } from "vitest";
import { listen, openConnection } from "./support/listen.ts";
import { openApi } from "./support/open-api.ts";
import type { TestApi } from "./support/open-api.ts";
import type { Readiness } from "../src/check-readiness.ts";

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/** An API whose `/readyz` waits. It counts the requests that reach it. */
async function openWaiting() {
  const ready = Promise.withResolvers<Readiness>();
  const readiness = vi.fn<() => Promise<Readiness>>(() => ready.promise);
  const api: TestApi = await openApi({ readiness });
  return { api, readiness, ready };
}

describe("pipelined requests", () => {
  it("are dispatched one at a time: the next one starts when the response before it is sent", async () => {
    const { api, readiness, ready } = await openWaiting();
    await using server = await listen(api.handler);
    using connection = openConnection(server.port);
    connection.send(get("/readyz").repeat(3) + get("/healthz"));
    await expect.poll(() => readiness).toHaveBeenCalledTimes(1);
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    expect(readiness).toHaveBeenCalledTimes(1);
    ready.resolve({ ready: true });
    const received = await connection.received('"status":"up"');
    expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(4);
    expect(readiness).toHaveBeenCalledTimes(3);
  });

  it("may be 17 in one packet, and all get a response", async () => {
    const api = await openApi();
    await using server = await listen(api.handler);
    using connection = openConnection(server.port);
    connection.send(get("/healthz").repeat(16) + get("/v1/me"));
    expect((await connection.received("missing_api_key")).match(/HTTP\/1\.1 200/g)).toHaveLength(16);
  });

  it("close the connection if more than 16 wait, and Node parses no more of them", async () => {
    const { api, readiness, ready } = await openWaiting();
    let parsed = 0;
    await using server = await listen((request, response) => {
      parsed += 1;
      api.handler(request, response);
    });
    using connection = openConnection(server.port);
    connection.send(get("/readyz").repeat(1_000));
    expect(await connection.closed).toBe("");
    expect(parsed).toBe(18);
    ready.resolve({ ready: true });
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    expect(readiness).toHaveBeenCalledTimes(1);
    expect(api.log).toEqual([]);
  });

  it("are served behind a framework too, and do not wait for the framework's own requests", async () => {
    const { api, ready } = await openWaiting();
    const app = express()
      .use("/api", api.handler)
      .get("/", (_, response) => void response.send("The shop"));
    await using server = await listen(app);
    using connection = openConnection(server.port);
    connection.send(get("/api/readyz") + get("/") + get("/api/healthz"));
    ready.resolve({ ready: true });
    const received = await connection.received('"status":"up"');
    expect(received.match(/"ready"|The shop|"up"/g)).toEqual(['"ready"', "The shop", '"up"']);
  });

  it("of a client that closed its sending side get responses", async () => {
    const api = await openApi();
    await using server = await listen(api.handler);
    using connection = openConnection(server.port);
    connection.socket.end(get("/healthz"));
    expect(await connection.closed).toContain('"up"');
  });

  it("of a client that disconnects are dropped, and the next connection is served", async () => {
    const { api, readiness, ready } = await openWaiting();
    await using server = await listen(api.handler);
    const connection = openConnection(server.port);
    connection.send(get("/readyz").repeat(5));
    const [{ socket }] = await once(server.server, "request");
    await expect.poll(() => readiness).toHaveBeenCalledTimes(1);
    const gone = new Promise((resolve) => socket.once("close", resolve));
    connection.socket.resetAndDestroy();
    await gone;
    ready.resolve({ ready: true });
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    expect(readiness).toHaveBeenCalledTimes(1);
    expect(api.log).toEqual([]);
  });

  it("with bodies get responses in order", async () => {
    const api = await openApi();
    await using server = await listen(api.handler);
    using connection = openConnection(server.port);
    const body = JSON.stringify({ event: "order.created", target_url: "https://example.com/hook" });
    const post = [
      "POST /v1/webhooks HTTP/1.1",
      "Host: localhost",
      `Authorization: Bearer ${api.apiKey}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      "",
      body,
    ].join("\r\n");
    connection.send(post.repeat(3) + get("/healthz"));
    const received = await connection.received('"status":"up"');
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual([201, 200, 200, 200].map((code) => `HTTP/1.1 ${code}`));
  });
});

it("HTTP/2 streams do not wait for each other", async () => {
  const { api, ready } = await openWaiting();
  const server = createHttp2Server((request, response) => {
    // The types of `handler` are for HTTP/1.1. h3 accepts both.
    Reflect.apply(api.handler, undefined, [request, response]);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  const waiting = session.request({ ":path": "/readyz" });
  const quick = session.request({ ":path": "/healthz" });
  const [headers] = await once(quick, "response");
  expect(headers[":status"]).toBe(200);
  ready.resolve({ ready: true });
  const [late] = await once(waiting, "response");
  expect(late[":status"]).toBe(200);
  session.destroy();
  server.close();
});
