import { once } from "node:events";
import { request as nodeRequest } from "node:http";
import type { RequestListener } from "node:http";
import express from "express";
import { describe, expect, it } from "vitest";
import { codeOf, toAnswered } from "./support/call.ts";
import { listen, openConnection } from "./support/listen.ts";
import { hostToken, openApi } from "./support/open-api.ts";
import type { TestApi } from "./support/open-api.ts";
import { toNodeListener } from "./support/to-node-listener.ts";

const webhook = JSON.stringify({ event: "order.created", target_url: "https://example.com/hook" });

function head(method: string, path: string, headers: readonly string[]): string {
  return [`${method} ${path} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n");
}

describe("over a real connection", () => {
  it("requests of one connection get responses in order", async () => {
    const api = await openApi();
    await using server = await listen(api.handler);
    using connection = openConnection(server.port);
    const key = `Authorization: Bearer ${api.apiKey}`;
    connection.send(
      head("GET", "/v1/me", [key]) + head("GET", "/v1/nothing", [key]) + head("GET", "/healthz", []),
    );
    const received = await connection.received('"status":"up"');
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 404", "HTTP/1.1 200"]);
    expect(received.match(/x-request-id: req_/gi)).toHaveLength(3);
  });

  it("HEAD gets no body, and the connection stays usable", async () => {
    const api = await openApi();
    await using server = await listen(api.handler);
    using connection = openConnection(server.port);
    const key = `Authorization: Bearer ${api.apiKey}`;
    connection.send(
      head("HEAD", "/v1/me", [key]) + head("HEAD", "/nothing", []) + head("OPTIONS", "/v1/me", []),
    );
    const received = await connection.received("HTTP/1.1 204");
    expect(received).not.toContain("{");
    expect(received).toMatch(/content-length: [1-9]/i);
  });

  it("a client that disconnects in the middle of its body affects no other client", async () => {
    const api = await openApi();
    await using server = await listen(api.handler);
    using connection = openConnection(server.port);
    connection.send(
      head("POST", "/v1/webhooks", [
        `Authorization: Bearer ${api.apiKey}`,
        "Content-Type: application/json",
        "Content-Length: 1000",
      ]),
    );
    const [{ socket }] = await once(server.server, "request");
    const gone = new Promise((resolve) => socket.once("close", resolve));
    connection.send('{"event":');
    connection.socket.destroy();
    await gone;
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    expect(api.log).toEqual([]);
  });

  it("Expect: 100-continue gets 100 Continue", async () => {
    const api = await openApi();
    await using server = await listen(api.handler);
    using connection = openConnection(server.port);
    connection.send(
      head("POST", "/v1/webhooks", [
        `Authorization: Bearer ${api.apiKey}`,
        "Content-Type: application/json",
        `Content-Length: ${webhook.length}`,
        "Expect: 100-continue",
      ]),
    );
    await connection.received("HTTP/1.1 100 Continue\r\n\r\n");
    connection.send(webhook);
    expect(await connection.received("whsec_")).toContain("HTTP/1.1 201 Created");
  });

  it("a body that arrives byte by byte is joined, including its multi-byte characters", async () => {
    const api = await openApi();
    await using server = await listen(api.handler);
    const request = nodeRequest(`${server.origin}/host/v1/accounts/acc_2`, {
      method: "PUT",
      headers: { authorization: `Bearer ${hostToken}`, "content-type": "application/json" },
    });
    const body = '{"name":"Bäckerei ☕","email":"b@example.com","timezone":"UTC"}';
    for (const byte of Buffer.from(body)) request.write(Uint8Array.of(byte));
    request.end();
    const [response] = await once(request, "response");
    expect(response.statusCode).toBe(201);
    expect(JSON.parse(Buffer.concat(await response.toArray()).toString()).data.name).toBe("Bäckerei ☕");
  });

  it.each([
    ["broken UTF-8", Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), 400],
    ["garbage", Uint8Array.from({ length: 4_096 }, (_, index) => (index * 7919) % 256), 400],
    ["nothing", new Uint8Array(), 400],
  ])("%s is refused", async (_, body, status) => {
    const api = await openApi();
    await using server = await listen(api.handler);
    const answered = await toAnswered(
      await fetch(`${server.origin}/v1/webhooks`, {
        method: "POST",
        headers: { authorization: `Bearer ${api.apiKey}`, "content-type": "application/json" },
        body,
      }),
    );
    expect([answered.status, codeOf(answered)]).toEqual([status, "validation_failed"]);
  });

  it("repeated Authorization headers are not combined into a key", async () => {
    const api = await openApi();
    await using server = await listen(api.handler);
    using connection = openConnection(server.port);
    const key = `Authorization: Bearer ${api.apiKey}`;
    connection.send(head("GET", "/v1/me", [key, "Authorization: Bearer hwk_other"]));
    expect(await connection.received("\r\n\r\n")).toContain("HTTP/1.1 401");
  });
});

describe.each([
  ["Node's handler", (api: TestApi): RequestListener => api.handler],
  ["the fetch function of a framework", (api: TestApi): RequestListener => toNodeListener(api.fetch)],
])("a body over the limit, with %s", (_, listenerOf) => {
  const limit = 1_000;

  it.each([
    ["announced by Content-Length", [`Content-Length: ${limit + 1}`], ""],
    [
      "detected while chunks arrive",
      ["Transfer-Encoding: chunked"],
      `${(2_000).toString(16)}\r\n${"x".repeat(2_000)}\r\n`,
    ],
  ])("%s gets its response before its end, and then the connection closes", async (_, headers, sent) => {
    const api = await openApi({ bodyLimitBytes: limit });
    await using server = await listen(listenerOf(api));
    using connection = openConnection(server.port);
    const key = `Authorization: Bearer ${api.apiKey}`;
    connection.send(head("POST", "/v1/webhooks", [key, "Content-Type: application/json", ...headers]) + sent);
    const received = await connection.received('"validation_failed"');
    expect(received).toContain("HTTP/1.1 413");
    expect(received.toLowerCase()).toContain("connection: close");
    expect(await connection.closed).toMatch(/}}$/);
  });

  it("from a client that keeps sending gets a response, not a reset", async () => {
    const api = await openApi({ bodyLimitBytes: limit });
    await using server = await listen(listenerOf(api));
    for (let round = 0; round < 5; round += 1) {
      const answered = await toAnswered(
        await fetch(`${server.origin}/v1/webhooks`, {
          method: "POST",
          headers: { authorization: `Bearer ${api.apiKey}`, "content-type": "application/json" },
          body: new Uint8Array(8 * 2 ** 20).fill(32),
        }),
      );
      expect([answered.status, codeOf(answered)]).toEqual([413, "validation_failed"]);
    }
  });

  it("is read for a limited time", async () => {
    const api = await openApi({ bodyLimitBytes: limit });
    await using server = await listen(listenerOf(api));
    using connection = openConnection(server.port);
    const key = `Authorization: Bearer ${api.apiKey}`;
    connection.send(
      head("POST", "/v1/webhooks", [key, "Content-Type: application/json", "Transfer-Encoding: chunked"]),
    );
    const chunk = `${(65_536).toString(16)}\r\n${"x".repeat(65_536)}\r\n`;
    const drip = (): void => {
      if (!connection.socket.destroyed) connection.socket.write(chunk, () => setImmediate(drip));
    };
    drip();
    expect(await connection.closed).toContain("HTTP/1.1 413");
  });
});

describe("a Host header", () => {
  it.each([
    "999.999.999.999",
    "a b",
    "[::1",
    "%",
    "a..b",
    "xn--",
    "x".repeat(300),
    "a@b",
    "a/b",
    "1.2.3.4.5:99999",
  ])("%.20s does not cause an error", async (host) => {
    const api = await openApi();
    await using server = await listen(api.handler);
    for (const path of [
      "/healthz",
      "/v1/orders/{id}",
      "/v1/orders/a%41",
      "*",
      "/a\\b",
      `http://${host}/healthz`,
    ]) {
      using connection = openConnection(server.port);
      connection.send(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(await connection.closed).toMatch(/^HTTP\/1\.1 (200|400|401|404) /);
    }
    expect(api.log).toEqual([]);
  });
});

it("a path with a backslash or # gets 404, so that it cannot bypass path rules of a proxy", async () => {
  const api = await openApi();
  await using server = await listen(express().use("/mounted", api.handler).use(api.handler));
  for (const [path, status] of [
    ["/v1\\me", 404],
    ["/mounted/v1\\me", 404],
    ["/elsewhere\\..\\v1/me", 404],
    ["/v1/me#", 404],
    ["/mounted/v1/me#x?a", 404],
    ["/v1/me?a=\\#", 200],
  ] as const) {
    using connection = openConnection(server.port);
    const head = `Host: localhost\r\nAuthorization: Bearer ${api.apiKey}\r\nConnection: close`;
    connection.send(`GET ${path} HTTP/1.1\r\n${head}\r\n\r\n`);
    expect(`${path} ${await connection.closed}`).toContain(`HTTP/1.1 ${status} `);
  }
});

it("HTTP/1.0 without a Host header is served", async () => {
  const api = await openApi();
  await using server = await listen(api.handler);
  using connection = openConnection(server.port);
  connection.send(`GET /v1/me HTTP/1.0\r\nAuthorization: Bearer ${api.apiKey}\r\n\r\n`);
  expect(await connection.closed).toContain('"id":"acc_1"');
});
