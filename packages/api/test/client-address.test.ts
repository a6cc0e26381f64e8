import { rights } from "@hookwright/domain";
import { describe, expect, it } from "vitest";
import type { ClientAddress } from "@hookwright/service";
import { createApi } from "../src/create-api.ts";
import { listen, openConnection } from "./support/listen.ts";
import { openApi } from "./support/open-api.ts";

/** An API that records the client address of each sign-in. Every sign-in fails. */
async function openWatched(trustProxy?: number) {
  const { options, log } = await openApi();
  const clients: (ClientAddress | undefined)[] = [];
  const session = {
    token: "hwc_1",
    expires_at: "2026-11-20T10:30:00Z",
    account: await options.service.accounts.get("acc_1"),
    person: null,
    role: "owner" as const,
    rights,
  };
  const sessions = {
    ...options.service.sessions,
    create: async (_: unknown, client?: ClientAddress) => {
      clients.push(client);
      return session;
    },
  };
  const api = createApi({ ...options, trustProxy, service: { ...options.service, sessions } });
  return { api, clients, log };
}

const body = JSON.stringify({ email: "owner@example.com", password: "correct horse battery" });

/** Signs in over a socket with these header lines. */
async function signInOverSocket(trustProxy: number | undefined, lines: readonly string[]) {
  const { api, clients, log } = await openWatched(trustProxy);
  await using server = await listen(api.handler);
  using connection = openConnection(server.port);
  const head = [
    "POST /console/api/session HTTP/1.1",
    "Host: localhost",
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Connection: close",
    ...lines,
  ];
  connection.send(`${head.join("\r\n")}\r\n\r\n${body}`);
  expect(await connection.closed).toMatch(/^HTTP\/1\.1 200 /u);
  return { client: clients[0], codes: log.map(({ fields }) => fields["code"]) };
}

async function clientOf(trustProxy: number | undefined, ...lines: string[]): Promise<unknown> {
  const { client } = await signInOverSocket(trustProxy, lines);
  return client;
}

const named = (clientAddress: string) => ({ clientAddress, isForwarded: true });
const notNamed = (clientAddress: string | undefined) => ({ clientAddress, isForwarded: false });

describe("without trusted proxies the client address", () => {
  it.each([undefined, 0])(
    "is the remote address of the connection, whatever the headers say (%s)",
    async (count) => {
      expect(await clientOf(count, "X-Forwarded-For: 8.8.8.8", "Forwarded: for=8.8.8.8")).toEqual(
        notNamed("127.0.0.1"),
      );
    },
  );

  it("is unknown without a connection", async () => {
    const { api, clients } = await openWatched();
    await api.fetch(toRequest({ "x-forwarded-for": "8.8.8.8" }));
    expect(clients).toEqual([notNamed(undefined)]);
  });
});

describe("with one trusted proxy the client address", () => {
  it.each([
    ["198.51.100.7", "198.51.100.7"],
    ["203.0.113.9, 198.51.100.7", "198.51.100.7"],
    ["203.0.113.9,198.51.100.7 ", "198.51.100.7"],
    ["198.51.100.7:49152", "198.51.100.7"],
    ["2001:db8::1", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["::ffff:198.51.100.7", "::ffff:198.51.100.7"],
    ["10.0.0.7", "10.0.0.7"],
  ])("is the last entry of X-Forwarded-For: %s", async (value, address) => {
    expect(await clientOf(1, `X-Forwarded-For: ${value}`)).toEqual(named(address));
  });

  it("is the last entry of all header lines in order", async () => {
    expect(
      await clientOf(1, "X-Forwarded-For: 203.0.113.9, 203.0.113.8", "x-forwarded-for: 198.51.100.7"),
    ).toEqual(named("198.51.100.7"));
  });

  it.each([
    "",
    "unknown",
    "198.51.100.7,",
    "198.51.100.7, _hidden",
    "198.51.100",
    "198.51.100.7:49152:1",
    "[198.51.100.7]",
    "[2001:db8::1",
    "[2001:db8::1]:x",
    "2001:db8::1::2",
    "0x7f000001",
    "'198.51.100.7'",
  ])("is the remote address of the connection if that entry is malformed: %s", async (value) => {
    expect(await clientOf(1, `X-Forwarded-For: ${value}`)).toEqual(notNamed("127.0.0.1"));
  });

  it("is the remote address of the connection without the header", async () => {
    expect(await clientOf(1)).toEqual(notNamed("127.0.0.1"));
  });

  it("is the last entry of the header if there is no connection", async () => {
    const { api, clients } = await openWatched(1);
    await api.fetch(toRequest({ "x-forwarded-for": "203.0.113.9, 198.51.100.7" }));
    await api.fetch(toRequest({}));
    expect(clients).toEqual([named("198.51.100.7"), notNamed(undefined)]);
  });
});

describe("with three trusted proxies the client address", () => {
  it.each([
    ["192.0.2.66, 198.51.100.7, 10.0.0.2, 10.0.0.1", named("198.51.100.7")],
    ["198.51.100.7, 10.0.0.2, 10.0.0.1", named("198.51.100.7")],
    // The client's own entries never count, even if a proxy's entry is malformed or missing.
    ["192.0.2.66, unknown, 10.0.0.2, 10.0.0.1", notNamed("10.0.0.2")],
    ["10.0.0.2, 10.0.0.1", notNamed("10.0.0.2")],
    ["unknown, 10.0.0.1", notNamed("10.0.0.1")],
    ["unknown, unknown, unknown", notNamed("127.0.0.1")],
  ])("is the third entry from the right, or the next valid one to its right: %s", async (value, client) => {
    expect(await clientOf(3, `X-Forwarded-For: ${value}`)).toEqual(client);
  });
});

describe("the log warns of an untrusted proxy", () => {
  it("once, if a sign-in with X-Forwarded-For comes from a private address", async () => {
    const { api, log } = await openWatched(0);
    await using server = await listen(api.handler);
    for (let sign = 0; sign < 3; sign++)
      await fetch(`${server.origin}/console/api/session`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": "198.51.100.7" },
        body,
      });
    expect(log).toMatchObject([{ level: "warn", fields: { code: "forwarded_for_ignored" } }]);
  });

  it("never without the header, and never with a trusted proxy", async () => {
    expect((await signInOverSocket(0, [])).codes).toEqual([]);
    expect((await signInOverSocket(1, ["X-Forwarded-For: 198.51.100.7"])).codes).toEqual([]);
  });
});

function toRequest(headers: Readonly<Record<string, string>>): Request {
  return new Request("http://localhost/console/api/session", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
}
