import { describe, expect, it, onTestFinished } from "vitest";
import tls, { createServer, TLSSocket } from "node:tls";
import type { Socket } from "node:net";
import { createTlsSessions } from "../../src/transport/tls.ts";
import { createCertificate } from "./support/certificate.ts";
import type { Certificate } from "./support/certificate.ts";
import { rest } from "../support/fake-clock.ts";
import { openReceiver } from "./support/hostile-receiver.ts";
import type { ReceiverOptions } from "./support/hostile-receiver.ts";
import { openSender, passTimeByRounds } from "./support/sender.ts";

const name = "hooks.example.com";
const authority = createCertificate({ name: "Test authority", isAuthority: true });
const good = createCertificate({ name, issuer: authority });

const accept: ReceiverOptions["onRequest"] = (socket) => socket.write("HTTP/1.1 204 Done\r\n\r\n");
const pemOf = ({ key, cert }: Certificate) => ({ key, cert });
const openTlsSender = () => openSender({ tls: { ca: authority.cert } });

describe("a receiver with a good certificate", () => {
  it.each(["TLSv1.2", "TLSv1.3"] as const)(
    "is delivered to over %s, and its connection is kept",
    async (version) => {
      const tls = { ...pemOf(good), minVersion: version, maxVersion: version };
      const receiver = await openReceiver({ tls, onRequest: accept });
      const sender = openTlsSender();
      expect(await sender.send(`https://${name}:${receiver.port}/`)).toMatchObject({
        status: 204,
        failure: null,
      });
      expect(await sender.send(`https://${name}:${receiver.port}/`)).toMatchObject({
        status: 204,
        failure: null,
      });
      expect(receiver.connections).toHaveLength(1);
    },
  );

  it("gets deliveries for its name with a trailing dot, which TLS does not send", async () => {
    const receiver = await openReceiver({ tls: pemOf(good), onRequest: accept });
    expect(await openTlsSender().send(`https://${name}.:${receiver.port}/`)).toMatchObject({ status: 204 });
  });

  it("resumes its session at the next connection of the same account", async () => {
    const resumed: boolean[] = [];
    const server = createServer(pemOf(good), (socket) => {
      resumed.push(socket.isSessionReused());
      socket.once("data", () => socket.end("HTTP/1.1 204 Done\r\nconnection: close\r\n\r\n"));
      socket.on("error", () => socket.destroy());
    });
    const { promise: listening, resolve } = Promise.withResolvers<void>();
    server.listen(0, "127.0.0.1", resolve);
    await listening;
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const sender = openTlsSender();
    for (let attempt = 0; attempt < 3; attempt++) await sender.send(`https://${name}:${port}/`);
    expect(resumed.at(0)).toBe(false);
    expect(resumed.at(-1)).toBe(true);
    await sender.send(`https://${name}:${port}/`, { accountId: "acc_2" });
    server.close();
    expect(resumed.at(-1)).toBe(false);
  });
});

it("a session that a receiver cannot resume fails one attempt only", async () => {
  const receiver = await openReceiver({
    tls: pemOf(good),
    onRequest: (socket) => {
      if (socket instanceof TLSSocket && socket.isSessionReused()) return;
      socket.end("HTTP/1.1 204 Done\r\nconnection: close\r\n\r\n");
    },
  });
  const sender = openTlsSender();
  passTimeByRounds();
  const send = () => sender.send(`https://${name}:${receiver.port}/`, { timeoutMs: 20_000 });
  expect(await send()).toMatchObject({ status: 204 });
  expect(await send()).toMatchObject({ failure: "timeout" });
  expect(await send()).toMatchObject({ status: 204 });
});

describe("the detail of class tls says what is wrong", () => {
  it("with a certificate for a name when an IP literal was asked for", async () => {
    const receiver = await openReceiver({ tls: pemOf(good), onRequest: accept });
    const answer = await openTlsSender().send(`https://127.0.0.1:${receiver.port}/`);
    expect(answer).toMatchObject({
      failure: "tls",
      detail: "The certificate is for hooks.example.com, not for 127.0.0.1.",
    });
    expect(receiver.requests).toHaveLength(0);
  });

  it("with a receiver that has no certificate for the name", async () => {
    const receiver = await openReceiver({ tls: {}, onRequest: accept });
    expect(await openTlsSender().send(`https://${name}:${receiver.port}/`)).toMatchObject({
      failure: "tls",
      detail: expect.stringMatching(/^The endpoint ended the TLS handshake\. .*certificate for this name/u),
    });
  });
});

describe("a receiver that makes handshakes expensive", () => {
  const renegotiate = (socket: Socket): boolean =>
    socket instanceof TLSSocket && socket.renegotiate({}, () => {}) === true;
  const old = { ...pemOf(good), maxVersion: "TLSv1.2" } as const;

  it("cannot renegotiate while a request waits", async () => {
    const receiver = await openReceiver({ tls: old, onRequest: renegotiate });
    expect(await openTlsSender().send(`https://${name}:${receiver.port}/`)).toMatchObject({
      status: null,
      failure: "tls",
      detail: expect.stringMatching(/^The endpoint ended the TLS handshake\./u),
    });
    await receiver.closed(0);
  });

  it("cannot renegotiate while the connection is idle", async () => {
    const receiver = await openReceiver({ tls: old, onRequest: accept });
    const sender = openTlsSender();
    await sender.send(`https://${name}:${receiver.port}/`);
    renegotiate(await receiver.connected(0));
    await receiver.closed(0);
    await rest();
    expect(await sender.send(`https://${name}:${receiver.port}/`)).toMatchObject({ status: 204 });
    expect(receiver.connections).toHaveLength(2);
  });

  it("is not offered a key exchange whose size it chooses", async () => {
    const suites = await readOffer();
    expect(suites).toContain("TLS_AES_128_GCM_SHA256");
    expect(suites).toContain("ECDHE-RSA-AES128-GCM-SHA256");
    expect(suites).not.toContain("DHE-RSA-AES128-GCM-SHA256");
  });

  it.each([
    ["of TLS 1.3 alone", "TLS_AES_128_GCM_SHA256", ["TLS_AES_128_GCM_SHA256"]],
    [
      "of both versions",
      "TLS_AES_128_GCM_SHA256:ECDHE-RSA-AES128-GCM-SHA256:DHE-RSA-AES128-GCM-SHA256",
      ["TLS_AES_128_GCM_SHA256", "ECDHE-RSA-AES128-GCM-SHA256"],
    ],
    ["of TLS 1.3, with a colon at the end", "TLS_AES_128_GCM_SHA256:", ["TLS_AES_128_GCM_SHA256"]],
  ])("is offered only the suites of this process: %s", async (_, ciphers, offered) => {
    const { DEFAULT_CIPHERS: before } = tls;
    onTestFinished(() => void (tls.DEFAULT_CIPHERS = before));
    // As `--tls-cipher-list` sets it.
    tls.DEFAULT_CIPHERS = ciphers;
    expect(await readOffer()).toEqual(offered);
  });
});

/** The cipher suites that are offered to a receiver. */
async function readOffer(): Promise<string[]> {
  const hello = Promise.withResolvers<Buffer>();
  const receiver = await openReceiver({ onConnection: (socket) => socket.once("data", hello.resolve) });
  void openTlsSender().send(`https://${name}:${receiver.port}/`);
  return cipherSuitesOf(await hello.promise);
}

/** The suites of a ClientHello (RFC 8446 §4.1.2). It is one record, and its random bytes begin at 11. */
function cipherSuitesOf(hello: Buffer): string[] {
  const names = new Map([
    [0x1301, "TLS_AES_128_GCM_SHA256"],
    [0xc02f, "ECDHE-RSA-AES128-GCM-SHA256"],
    [0x009e, "DHE-RSA-AES128-GCM-SHA256"],
  ]);
  const start = 44 + hello.readUInt8(43);
  const count = hello.readUInt16BE(start) / 2;
  const suites = Array.from({ length: count }, (_, index) => hello.readUInt16BE(start + 2 + 2 * index));
  return suites.map((suite) => names.get(suite) ?? String(suite));
}

it("the option `tls` is read when the transport is created, not at the first delivery", () => {
  expect(() => openSender({ tls: { key: "no key" } })).toThrow(/PEM|DECODER/iu);
});

describe("TLS sessions", () => {
  const origin = "https://receiver.example";
  const session = Buffer.alloc(8_192);
  /** As many of the largest sessions as are kept. */
  const maximum = 2_048;
  const names = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

  it("are not kept above 8 KiB, which only a hostile receiver sends", () => {
    const sessions = createTlsSessions();
    sessions.set("acc_1", "https://large.example", Buffer.alloc(8_192));
    sessions.set("acc_1", "https://too-large.example", Buffer.alloc(8_193));
    expect(sessions.get("acc_1", "https://large.example")).toHaveLength(8_192);
    expect(sessions.get("acc_1", "https://too-large.example")).toBeUndefined();
  });

  it("of all accounts take at most 16 MiB, and the one that was renewed longest ago is replaced first", () => {
    const sessions = createTlsSessions();
    const accounts = names("acc", maximum);
    const missing = () => accounts.filter((id) => sessions.get(id, origin) === undefined);
    for (const id of accounts) sessions.set(id, origin, session);
    sessions.set("acc-1", origin, session);
    expect(missing()).toEqual([]);
    sessions.set("another", origin, session);
    expect(missing()).toEqual(["acc-0"]);
    sessions.set("one more", origin, session);
    expect(missing()).toEqual(["acc-0", "acc-2"]);
  });

  it("of thousands of accounts with the same origin are kept", () => {
    const sessions = createTlsSessions();
    const accounts = names("acc", 10_000);
    for (const id of accounts) sessions.set(id, origin, Buffer.alloc(1_300));
    expect(accounts.filter((id) => sessions.get(id, origin) === undefined)).toEqual([]);
  });

  it("of an account that has many are replaced before those of other accounts", () => {
    const sessions = createTlsSessions();
    const origins = names("https://receiver", 2 * maximum);
    sessions.set("small", origin, session);
    for (const each of origins) sessions.set("large", each, session);
    expect(sessions.get("small", origin)).toBe(session);
    const kept = origins.filter((each) => sessions.get("large", each) !== undefined);
    expect(kept).toEqual(origins.slice(-maximum + 1));
    sessions.delete("large", kept.at(-1) ?? "");
    sessions.set("another", origin, session);
    expect(sessions.get("large", kept[0] ?? "")).toBe(session);
  });
});
