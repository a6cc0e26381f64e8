import fc from "fast-check";
import { expect, it } from "vitest";
import { expectGoodAnswer } from "./support/expect-good-answer.ts";
import { listen, openConnection } from "./support/listen.ts";
import { openApi } from "./support/open-api.ts";

const piece = fc.oneof(
  fc.constantFrom(
    "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /v1/me HTTP/1.1\r\nHost: a b\r\n\r\n",
    "POST /v1/contacts HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}",
    "POST /v1/contacts HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "POST /host/v1/events HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
    'PUT /console/api/session HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n',
    "GET http://[::1/v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET * HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /readyz HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    "GET /metrics HTTP/9.9\r\n\r\n",
    `GET /healthz HTTP/1.1\r\nHost: localhost\r\n${"X-Flood: a\r\n".repeat(3_000)}\r\n`,
    `GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "\r\n\r\n\r\n",
    "\u0016\u0003\u0001\u0002\u0000",
  ),
  fc.string({ unit: "binary-ascii", maxLength: 60 }),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
);

/** Checks every response on this connection. The 100 Continue responses are Node's own. */
function expectGoodAnswers(received: string): void {
  for (const answer of received.split(/(?=HTTP\/1\.1 \d{3} )/)) {
    if (answer === "") continue;
    const [head = "", text = ""] = answer.split("\r\n\r\n", 2);
    const status = Number(head.slice(9, 12));
    const headerOf = (name: string): string | null =>
      new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1]?.trim() ?? null;
    const requestId = headerOf("x-request-id");
    if (status === 100) continue;
    expectGoodAnswer({ status, text, contentType: headerOf("content-type"), requestId }, "");
  }
}

it("random bytes, in several pieces on one connection, at most close the sender's own connection", async () => {
  const api = await openApi();
  await using server = await listen(api.handler, { requireHostHeader: false });
  server.server.on("clientError", api.answerClientError);
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 6 }), fc.nat(40), async (pieces, cut) => {
      const bytes = Buffer.from(pieces.join(""), "latin1");
      using connection = openConnection(server.port);
      connection.send(bytes.subarray(0, cut));
      connection.socket.end(bytes.subarray(cut));
      expectGoodAnswers(await connection.closed);
      expect(api.log).toEqual([]);
    }),
    { numRuns: 300 },
  );
  expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
});

it("300 connections with incomplete requests do not delay other clients", async () => {
  const api = await openApi();
  await using server = await listen(api.handler);
  using stuck = new DisposableStack();
  const starts = [
    "GET /v1/me HT",
    "GET /v1/me HTTP/1.1\r\nHost: localhost\r\nX-Slow: a",
    'POST /v1/contacts HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n{"a":',
    "",
  ];
  // Each takes two files of this process, which may have only 1,024.
  for (let index = 0; index < 300; index += 1) {
    stuck.use(openConnection(server.port)).send(starts[index % starts.length] ?? "");
  }
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      fetch(`${server.origin}/v1/me`, { headers: { authorization: `Bearer ${api.apiKey}` } }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(api.log).toEqual([]);
});
