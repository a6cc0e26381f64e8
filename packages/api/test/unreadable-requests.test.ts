import { once } from "node:events";
import { PassThrough } from "node:stream";
import type { ServerOptions } from "node:http";
import { describe, expect, it } from "vitest";
import type { Readiness } from "../src/check-readiness.ts";
import { listen, openConnection } from "./support/listen.ts";
import { openApi } from "./support/open-api.ts";
import type { TestApi } from "./support/open-api.ts";
import type { ApiOptions } from "../src/options.ts";

const get = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
const chunked = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
const brokenChunk = "zz\r\n{}\r\n0\r\n\r\n";

async function open(options: ServerOptions = {}, overrides: Partial<ApiOptions> = {}) {
  const api = await openApi(overrides);
  const server = await listen(api.handler, { requireHostHeader: false, ...options });
  server.server.on("clientError", api.answerClientError);
  return { api, server };
}

/** Reads the statuses of the responses on a connection. Each must be the envelope. */
function readAnswers(received: string): { readonly status: number; readonly code: string | undefined }[] {
  return received
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((answer) => answer !== "")
    .map((answer) => {
      const [head = "", text = ""] = answer.split("\r\n\r\n", 2);
      expect(head).toMatch(/^x-request-id: req_\w+\r?$/im);
      expect(head).toMatch(/^content-type: application\/json\r?$/im);
      expect(head).toMatch(/^date: \w{3}, .* GMT\r?$/im);
      const body = JSON.parse(text);
      const status = Number(head.slice(9, 12));
      if (!body.success) expect(Object.keys(body.error)).toEqual(["code", "message"]);
      return { status, code: body.error?.code };
    });
}

const refused = (status: number) => ({ status, code: "validation_failed" });
const served = { status: 200, code: undefined };

async function exchange(sent: string, options: ServerOptions = {}): Promise<string> {
  const { api, server } = await open(options);
  await using _ = server;
  using connection = openConnection(server.port);
  connection.send(sent);
  const received = await connection.closed;
  expect(api.log).toEqual([]);
  return received;
}

describe("a malformed request", () => {
  it.each([
    ["no request line", "hello\r\n\r\n", 400],
    ["an unknown method", "BREW /v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n", 400],
    ["a version that does not exist", "GET /v1/me HTTP/9.9\r\nHost: localhost\r\n\r\n", 400],
    ["a header without a name", "GET /v1/me HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n", 400],
    ["no Host", "GET /v1/me HTTP/1.1\r\n\r\n", 400],
    [
      "two lengths",
      "POST /v1/contacts HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
      400,
    ],
    ["a TLS greeting", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000", 400],
    [
      "headers without end",
      `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"a".repeat(60_000)}\r\n\r\n`,
      431,
    ],
    ["a path without end", `GET /${"a".repeat(60_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
    ["chunk extensions without end", `${chunked("/host/v1/events")}2;${"a".repeat(60_000)}\r\n{}\r\n`, 413],
    ["a chunk without a size", chunked("/console/api/session") + brokenChunk, 400],
  ])("with %s gets one error envelope, and the connection closes", async (_, sent, status) => {
    const received = await exchange(sent + "more\r\n\r\n".repeat(9));
    expect(readAnswers(received)).toEqual([refused(status)]);
    expect(received).toMatch(/^connection: close\r?$/im);
    expect(received).toContain(
      `HTTP/1.1 ${status} ${{ 400: "Bad Request", 413: "Payload Too Large" }[status] ?? ""}`,
    );
  });

  it.each([
    ["a header", "GET /v1/me HTTP/1.1\r\nHost: localhost\r\nX-Slow: "],
    ["a body", `${chunked("/console/api/session")}5\r\n{"a"`],
  ])("with %s that arrives too late gets 408", async (_, sent) => {
    const received = await exchange(sent, {
      headersTimeout: 40,
      requestTimeout: 80,
      connectionsCheckingInterval: 10,
    });
    expect(readAnswers(received)).toEqual([refused(408)]);
  });

  it("is still read for a while, so that a sending client receives the response", async () => {
    const { server } = await open();
    await using _ = server;
    using connection = openConnection(server.port);
    connection.send("hello\r\n\r\n");
    await connection.closed;
    const failing = once(server.server, "clientError");
    connection.send("more\r\n\r\n");
    const [, socket] = await failing;
    expect(socket.destroyed).toBe(false);
  });

  it("gets its response after those of earlier requests", async () => {
    const ready = Promise.withResolvers<Readiness>();
    const { api, server } = await open({}, { readiness: () => ready.promise });
    await using _ = server;
    using connection = openConnection(server.port);
    connection.send(`${get}${get.replace("healthz", "readyz")}no request\r\n\r\n`);
    await connection.received("HTTP/1.1 200");
    ready.resolve({ ready: true });
    expect(readAnswers(await connection.closed)).toEqual([served, served, refused(400)]);
    expect(api.log).toEqual([]);
  });

  it("gets no second response if the body of a request that already has one is malformed", async () => {
    const { api, server } = await open();
    await using _ = server;
    using connection = openConnection(server.port);
    connection.send(chunked("/v1/unknown"));
    await connection.received("not_found");
    connection.send(brokenChunk);
    expect(readAnswers(await connection.closed)).toEqual([{ status: 404, code: "not_found" }]);
    expect(api.log).toEqual([]);
  });

  it("never gets its response before that of an earlier request", async () => {
    const ready = Promise.withResolvers<Readiness>();
    const { api, server } = await open({}, { readiness: () => ready.promise });
    await using _ = server;
    using connection = openConnection(server.port);
    connection.send(get.replace("healthz", "readyz") + chunked("/console/api/session") + brokenChunk);
    expect(await connection.closed).toBe("");
    ready.resolve({ ready: true });
    expect(api.log).toEqual([]);
  });

  it("does not affect other connections", async () => {
    const { server } = await open();
    await using _ = server;
    using bad = openConnection(server.port);
    bad.send("hello\r\n\r\n");
    await bad.closed;
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
  });

  it.each([
    ["disconnected", (socket: PassThrough) => socket.destroy()],
    ["cannot receive a response", (socket: PassThrough) => socket.end()],
  ])("from a client that %s is not an error", async (_, leave) => {
    const api: TestApi = await openApi();
    const socket = new PassThrough();
    leave(socket);
    api.answerClientError(Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }), socket);
    expect(socket.destroyed).toBe(true);
    expect(socket.read()).toBeNull();
  });
});
