import { once } from "node:events";
import { createServer } from "node:net";
import { parseAllowedTargets, parseProxyUrl } from "@hookwright/domain";
import { describe, expect, it } from "vitest";
import { createCertificate } from "./support/certificate.ts";
import { openConnectProxy } from "./support/connect-proxy.ts";
import type { ConnectProxyOptions } from "./support/connect-proxy.ts";
import { openReceiver } from "./support/hostile-receiver.ts";
import { openSender } from "./support/sender.ts";
import type { TransportOptions } from "../../src/transport/transport.ts";

const name = "hooks.example.com";
const authority = createCertificate({ name: "Test authority", isAuthority: true });
const { key, cert } = createCertificate({ name, issuer: authority });
const accepting = {
  tls: { key, cert },
  onRequest: (socket: { write(text: string): void }) => socket.write("HTTP/1.1 204 Done\r\n\r\n"),
};

function openProxiedSender(port: number, options: TransportOptions & { credentials?: string } = {}) {
  const { credentials = "", ...others } = options;
  const proxy = parseProxyUrl(`http://${credentials}127.0.0.1:${port}`);
  return openSender({
    proxy,
    privateTargets: false,
    tls: { ca: authority.cert },
    // The proxy resolves names.
    resolve: () => Promise.reject(new Error("a name was resolved")),
    ...others,
  });
}

async function sendThrough(options: ConnectProxyOptions, timeoutMs = 5_000) {
  const proxy = await openConnectProxy(options);
  return openProxiedSender(proxy.port).send(`https://${name}/`, { timeoutMs });
}

const answering = (text: string): ConnectProxyOptions => ({ answer: (client) => void client.end(text) });

describe("with a proxy", () => {
  it("a delivery goes through a tunnel, which is kept for the next one", async () => {
    const receiver = await openReceiver(accepting);
    const proxy = await openConnectProxy();
    const sender = openProxiedSender(proxy.port);
    for (let attempt = 0; attempt < 3; attempt++)
      expect(await sender.send(`https://${name}:${receiver.port}/`)).toMatchObject({
        status: 204,
        detail: null,
      });
    expect(proxy.tunnels).toEqual([{ target: `${name}:${receiver.port}`, authorization: undefined }]);
    expect(receiver.requests[0]).toContain(`host: ${name}:${receiver.port}\r\n`);
    expect(receiver.requests[0]).not.toContain("proxy-");
    await sender.close();
    await expect.poll(() => proxy.openClients()).toBe(0);
  });

  it("the credentials of its URL are sent to it only", async () => {
    const receiver = await openReceiver(accepting);
    const proxy = await openConnectProxy();
    const sender = openProxiedSender(proxy.port, { credentials: "user:p%40ss@" });
    await sender.send(`https://${name}:${receiver.port}/`);
    expect(proxy.tunnels[0]?.authorization).toBe(`Basic ${Buffer.from("user:p@ss").toString("base64")}`);
    expect(receiver.requests[0]).not.toContain("authorization");
  });

  it("a proxy over TLS is used", async () => {
    const receiver = await openReceiver(accepting);
    const certificate = createCertificate({ name: "127.0.0.1", issuer: authority });
    const proxy = await openConnectProxy({ tls: { key: certificate.key, cert: certificate.cert } });
    const target = parseProxyUrl(`https://127.0.0.1:${proxy.port}`);
    const trusting = openSender({ proxy: target, tls: { ca: authority.cert } });
    expect(await trusting.send(`https://${name}:${receiver.port}/`)).toMatchObject({ status: 204 });
    await trusting.close();
    await expect.poll(() => proxy.openClients()).toBe(0);
    await expect(
      openSender({ proxy: target }).send(`https://${name}:${receiver.port}/`),
    ).rejects.toMatchObject({ code: "proxy_unavailable" });
  });

  it("an endpoint over plain HTTP is reached through a tunnel too", async () => {
    const receiver = await openReceiver({ onRequest: accepting.onRequest });
    const proxy = await openConnectProxy();
    const sender = openProxiedSender(proxy.port, { privateTargets: true });
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await sender.send(`http://${name}:${receiver.port}/`)).toMatchObject({ status: 204 });
    expect(proxy.tunnels).toHaveLength(1);
  });

  it("an address in a URL is still checked here", async () => {
    const proxy = await openConnectProxy();
    const answer = await openProxiedSender(proxy.port).send("https://10.1.2.3/");
    expect(answer).toMatchObject({ failure: "blocked_address" });
    expect(proxy.tunnels).toEqual([]);
  });

  it("a private target that is listed goes through the proxy, as every other", async () => {
    const receiver = await openReceiver(accepting);
    const proxy = await openConnectProxy();
    const allowed = parseAllowedTargets(["127.0.0.2"]);
    const sender = openProxiedSender(proxy.port, {
      allowedTargets: allowed.ok ? allowed.targets : undefined,
    });
    const answer = await sender.send(`https://127.0.0.2:${receiver.port}/`);
    expect(answer).toMatchObject({ failure: "tls" });
    expect(proxy.tunnels).toMatchObject([{ target: `127.0.0.2:${receiver.port}` }]);
  });

  it("a trusted origin is reached directly", async () => {
    const receiver = await openReceiver({ onRequest: accepting.onRequest });
    const proxy = await openConnectProxy();
    const origin = `http://127.0.0.1:${receiver.port}`;
    const sender = openProxiedSender(proxy.port, { trustedOrigins: [origin] });
    expect(await sender.send(`${origin}/`)).toMatchObject({ status: 204 });
    expect(proxy.tunnels).toEqual([]);
  });

  it("an IP address in a URL must be in the receiver's certificate", async () => {
    const ofAddress = createCertificate({ name: "127.0.0.1", issuer: authority });
    const proxy = await openConnectProxy();
    const sender = openProxiedSender(proxy.port, { privateTargets: true });
    const right = await openReceiver({ ...accepting, tls: { key: ofAddress.key, cert: ofAddress.cert } });
    expect(await sender.send(`https://127.0.0.1:${right.port}/`)).toMatchObject({ status: 204 });
    const wrong = await openReceiver(accepting);
    expect(await sender.send(`https://127.0.0.1:${wrong.port}/`)).toMatchObject({ failure: "tls" });
  });

  it("the receiver's certificate is verified through the tunnel", async () => {
    const receiver = await openReceiver(accepting);
    const proxy = await openConnectProxy();
    const answer = await openProxiedSender(proxy.port).send(`https://other.example.com:${receiver.port}/`);
    expect(answer).toMatchObject({
      failure: "tls",
      detail: `The certificate is for ${name}, not for other.example.com.`,
    });
  });

  it("a redirect is not followed, and the excerpt of a body is limited", async () => {
    const receiver = await openReceiver({
      tls: { key, cert },
      onRequest: (socket) =>
        socket.write(
          `HTTP/1.1 302 Found\r\nlocation: https://x.example\r\ncontent-length: 9000\r\n\r\n${"x".repeat(9_000)}`,
        ),
    });
    const proxy = await openConnectProxy();
    const answer = await openProxiedSender(proxy.port).send(`https://${name}:${receiver.port}/`);
    expect(answer).toMatchObject({ status: 302, excerpt: "x".repeat(4_096) });
    expect(proxy.tunnels).toHaveLength(1);
  });
});

describe("the receiver is to blame", () => {
  it.each([
    [502, "connect", `The proxy of the sender could not connect to ${name}:443 (502).`],
    [503, "connect", `The proxy of the sender could not connect to ${name}:443 (503).`],
    [504, "timeout", `The proxy of the sender could not connect to ${name}:443 in time (504).`],
    [403, "blocked_address", `The proxy of the sender refused a connection to ${name}:443 (403).`],
    [407, "blocked_address", `The proxy of the sender refused a connection to ${name}:443 (407).`],
  ])("when the proxy answers %d", async (status, failure, detail) => {
    expect(await sendThrough(answering(`HTTP/1.1 ${status} No\r\n\r\n`))).toMatchObject({
      status: null,
      failure,
      detail,
    });
  });

  it("when the proxy does not get through to it in time", async () => {
    expect(await sendThrough({ answer: () => {} }, 300)).toMatchObject({
      failure: "timeout",
      detail: "No response within 300 ms (connecting through the proxy of the sender).",
    });
  });

  it("when it does not answer in the tunnel", async () => {
    const receiver = await openReceiver({ tls: { key, cert } });
    const proxy = await openConnectProxy();
    const answer = await openProxiedSender(proxy.port).send(`https://${name}:${receiver.port}/`, {
      timeoutMs: 500,
    });
    expect(answer).toMatchObject({ failure: "timeout", detail: expect.stringContaining("response headers") });
    await expect.poll(() => proxy.openClients()).toBe(0);
  });
});

describe("an attempt is not made when the proxy", () => {
  it.each<[string, ConnectProxyOptions, RegExp]>([
    [
      "refuses its credentials",
      answering("HTTP/1.1 407 No\r\nproxy-authenticate: Basic\r\n\r\n"),
      /it refuses the credentials in its URL \(407\)/u,
    ],
    ["does not know CONNECT", answering("HTTP/1.1 405 No\r\n\r\n"), /it answers CONNECT with 405/u],
    ["does not speak HTTP", answering("SSH-2.0-x\r\n\r\n"), /does not answer as an HTTP proxy/u],
    ["sends an endless head", answering("x".repeat(20_000)), /does not answer as an HTTP proxy/u],
    ["closes the connection", answering(""), /closed the connection without an answer/u],
  ])("%s", async (_, options, message) => {
    await expect(sendThrough(options)).rejects.toMatchObject({
      code: "proxy_unavailable",
      message: expect.stringMatching(message),
    });
  });

  it("does not listen, and no message has its credentials", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    server.close();
    await once(server, "close");
    const sender = openProxiedSender(port, { credentials: "user:hidden@" });
    const error: unknown = await sender.send(`https://${name}/`).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: "proxy_unavailable",
      message: "The proxy for deliveries cannot be used: it cannot be reached (ECONNREFUSED).",
    });
    expect(String(error)).not.toContain("hidden");
  });
});
