import { createCertificate } from "./support/certificate.ts";
import { TLSSocket } from "node:tls";
import { describe, expect, it } from "vitest";
import { openConnectProxy } from "./support/connect-proxy.ts";
import { openReceiver } from "./support/hostile-receiver.ts";
import { openSender } from "./support/sender.ts";

const name = "hooks.example.com";
const authority = createCertificate({ name: "Test authority", isAuthority: true });
const { key, cert } = createCertificate({ name, issuer: authority });
const sender = createCertificate({ name: "sender.example.com", issuer: authority });
const stranger = createCertificate({ name: "sender.example.com" });
const askingForCertificate = { key, cert, ca: authority.cert, requestCert: true, rejectUnauthorized: true };
const accept = (socket: { write(text: string): void }) => socket.write("HTTP/1.1 204 Done\r\n\r\n");

describe("a receiver that asks for a client certificate", () => {
  it.each(["TLSv1.2", "TLSv1.3"] as const)("gets that of the sender over %s", async (version) => {
    const tls = { ...askingForCertificate, minVersion: version, maxVersion: version };
    const receiver = await openReceiver({ tls, onRequest: accept });
    const { send } = openSender({ tls: { ca: authority.cert, key: sender.key, cert: sender.cert } });
    expect(await send(`https://${name}:${receiver.port}/`)).toMatchObject({ status: 204 });
    const [socket] = receiver.connections;
    expect(socket instanceof TLSSocket && socket.getPeerCertificate().subject.CN).toBe("sender.example.com");
  });

  it("gets it through a proxy", async () => {
    const receiver = await openReceiver({ tls: askingForCertificate, onRequest: accept });
    const proxy = await openConnectProxy();
    const { send } = openSender({
      proxy: { isSecure: false, hostname: "127.0.0.1", port: proxy.port, credentials: undefined },
      tls: { ca: authority.cert, key: sender.key, cert: sender.cert },
    });
    expect(await send(`https://${name}:${receiver.port}/`)).toMatchObject({ status: 204 });
  });

  it("gets no delivery with another one", async () => {
    const receiver = await openReceiver({ tls: askingForCertificate, onRequest: accept });
    const { send } = openSender({ tls: { ca: authority.cert, key: stranger.key, cert: stranger.cert } });
    expect(await send(`https://${name}:${receiver.port}/`)).toMatchObject({ status: null });
  });
});

describe("a source address", () => {
  it("is that of each connection to a receiver", async () => {
    const receiver = await openReceiver({ onRequest: accept });
    const { send } = openSender({ localAddress: "127.0.0.2" });
    expect(await send(`http://${name}:${receiver.port}/`)).toMatchObject({ status: 204 });
    expect(receiver.connections[0]?.remoteAddress).toBe("127.0.0.2");
  });

  it("is that of each connection to the proxy", async () => {
    const receiver = await openReceiver({ onRequest: accept });
    const proxy = await openConnectProxy();
    const { send } = openSender({
      localAddress: "127.0.0.2",
      proxy: { isSecure: false, hostname: "127.0.0.1", port: proxy.port, credentials: undefined },
    });
    expect(await send(`http://${name}:${receiver.port}/`)).toMatchObject({ status: 204 });
    expect(proxy.clients).toEqual(["127.0.0.2"]);
  });

  it("chooses the addresses of its own version", async () => {
    const receiver = await openReceiver({ onRequest: accept });
    const both = async () => [
      { address: "2001:db8::1", family: 6 },
      { address: "127.0.0.1", family: 4 },
    ];
    const { send } = openSender({ localAddress: "127.0.0.2", resolve: both });
    expect(await send(`http://${name}:${receiver.port}/`)).toMatchObject({ status: 204 });
  });

  it("cannot reach a receiver that has only the other version", async () => {
    const { send } = openSender({
      localAddress: "127.0.0.2",
      resolve: async () => [{ address: "2001:db8::1", family: 6 }],
    });
    expect(await send(`http://${name}/`)).toMatchObject({
      failure: "dns",
      detail: expect.stringContaining("has no address of the version (IPv4 or IPv6) that the sender uses"),
    });
    const literal = await send("http://[2001:db8::1]/");
    expect(literal).toMatchObject({ failure: "connect" });
    expect(literal.detail).not.toContain("127.0.0.2");
  });

  it("that this machine does not have fails no delivery", async () => {
    const { send } = openSender({ localAddress: "192.0.2.7" });
    await expect(send(`http://${name}/`)).rejects.toMatchObject({ code: "source_address_unavailable" });
  });
});
