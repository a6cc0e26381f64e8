import { describe, expect, it } from "vitest";
import { openReceiver } from "./support/hostile-receiver.ts";
import { openSender } from "./support/sender.ts";

const blocked = [
  "127.0.0.1",
  "10.1.2.3",
  "172.16.0.1",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "0.0.0.0",
  "224.0.0.1",
  "255.255.255.255",
  "::1",
  "::",
  "fe80::1",
  "fc00::1",
  "::ffff:127.0.0.1",
  "64:ff9b::7f00:1",
  "2002:7f00:1::",
  "2001::1",
  "ff02::1",
  "168.63.129.16", // Azure's wire server
  "::ffff:168.63.129.16",
  "64:ff9b::168.63.129.16",
];

describe("an address that is not public is never dialled", () => {
  it.each(blocked)("when a name resolves to %s", async (address) => {
    const family = address.includes(":") ? 6 : 4;
    const { send } = openSender({ privateTargets: false, resolve: async () => [{ address, family }] });
    expect(await send("https://hooks.example.com/")).toMatchObject({
      status: null,
      failure: "blocked_address",
    });
  });

  it.each(blocked)("when the URL contains %s", async (address) => {
    const { send } = openSender({ privateTargets: false });
    const host = address.includes(":") ? `[${address}]` : address;
    const { status, failure } = await send(`https://${host}/`);
    expect({ status, failure }).toEqual({ status: null, failure: "blocked_address" });
  });

  it("when a name resolves to a public address at one connection and to a private one at the next", async () => {
    const asked: string[] = [];
    const { send } = openSender({
      privateTargets: false,
      // 192.0.2.1 is for documentation, so it is not public. Each connection resolves the name again.
      resolve: async (hostname) => {
        asked.push(hostname);
        return [{ address: asked.length === 1 ? "192.0.2.1" : "127.0.0.1", family: 4 }];
      },
    });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await send("https://hooks.example.com/")).toMatchObject({ failure: "blocked_address" });
    }
    expect(asked).toHaveLength(2);
  });
});

describe("a port that is not allowed", () => {
  it("is not dialled, although the webhook was created when it was allowed", async () => {
    const resolve = async () => {
      throw new Error("the name of a refused URL is not resolved");
    };
    const { send } = openSender({ privateTargets: false, resolve });
    expect(await send("https://hooks.example.com:25/")).toMatchObject({
      status: null,
      failure: "blocked_address",
      detail:
        "The webhook's URL must not use port 25; allowed ports are 443, 8443, 1024 to 65535. Nothing was sent.",
    });
  });

  it("is dialled with `privateTargets`", async () => {
    const receiver = await openReceiver({ onRequest: (socket) => socket.write("HTTP/1.1 204 Done\r\n\r\n") });
    const { send } = openSender({ allowedTargetPorts: [443] });
    expect(await send(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({ status: 204 });
  });
});

it("undefined options have the same effect as missing options", async () => {
  const undefinedOptions = {
    privateTargets: undefined,
    trustedOrigins: undefined,
    resolve: undefined,
    tls: undefined,
  };
  const answer = await openSender(undefinedOptions).send("https://127.0.0.1/", {
    freshConnection: undefined,
  });
  expect(answer).toMatchObject({ status: null, failure: "blocked_address" });
});
