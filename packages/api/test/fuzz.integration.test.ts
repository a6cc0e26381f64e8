import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { more } from "../../../scripts/test/support/seed.ts";
import { selectEndingRoutes } from "./support/ending-routes.ts";
import { toAnswered } from "./support/call.ts";
import { expectGoodAnswer } from "./support/expect-good-answer.ts";
import { toHostileRequests } from "./support/hostile-request.ts";
import { listen, openConnection } from "./support/listen.ts";
import { openFuzzed } from "./support/open-fuzzed.ts";

describe("hostile requests", () => {
  it("never cause an internal error", async () => {
    const { api, prepare } = await openFuzzed();
    const routes = selectEndingRoutes(api.options);
    expect(new Set(routes.map(({ access }) => access))).toEqual(
      new Set(["account", "console", "host", "metrics", "public"]),
    );
    await fc.assert(
      fc.asyncProperty(toHostileRequests(routes), async (hostile) => {
        const logged = api.log.length;
        const { method, body } = hostile;
        const { path, headers } = await prepare(hostile);
        const request = new Request(`http://localhost${path}`, {
          method,
          headers,
          ...(body === undefined ? {} : { body }),
        });
        const { status, text, headers: answered } = await toAnswered(await api.fetch(request));
        expectGoodAnswer(
          {
            status,
            text,
            contentType: answered.get("content-type"),
            requestId: answered.get("x-request-id"),
          },
          method,
        );
        expect(api.log.slice(logged)).toEqual([]);
      }),
      { numRuns: 400 * more },
    );
  });

  it("never cause an internal error when sent as raw bytes to one server", async () => {
    const { api, prepare } = await openFuzzed();
    await using server = await listen(api.handler);
    await fc.assert(
      fc.asyncProperty(
        toHostileRequests(selectEndingRoutes(api.options)),
        fc.boolean(),
        async (hostile, isCutShort) => {
          const logged = api.log.length;
          const { method, body = "" } = hostile;
          const { path, headers } = await prepare(hostile);
          using connection = openConnection(server.port);
          const bytes = typeof body === "string" ? Buffer.from(body.toWellFormed()) : body;
          const lines = Object.entries({
            host: "localhost",
            connection: "close",
            ...headers,
            "content-length": String(isCutShort ? bytes.byteLength + 1 : bytes.byteLength),
          }).map(([name, value]) => `${name}: ${value}\r\n`);
          connection.send(Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1"));
          connection.send(bytes);
          // Node drops the response to a client that has ended its side, if the route is not done yet.
          if (!isCutShort) await Promise.race([connection.received("HTTP/1.1"), delay(250)]);
          connection.socket.end();
          const received = await connection.closed;
          expect(received).toMatch(isCutShort ? /^($|HTTP\/1\.1 [1-4])/ : /^HTTP\/1\.1 [1-4]/);
          expect(api.log.slice(logged)).toEqual([]);
        },
      ),
      { numRuns: 80 * more },
    );
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
  });
});
