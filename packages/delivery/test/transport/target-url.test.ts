import { isIPv6 } from "node:net";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPublicAddress } from "../../src/transport/public-address.ts";
import { parseTargetUrl } from "../../src/transport/target-url.ts";
import { openReceiver } from "./support/hostile-receiver.ts";
import { openSender } from "./support/sender.ts";

const wireServer = [168, 63, 129, 16] as const;
const number = wireServer.reduce((sum, byte) => sum * 256 + byte, 0);
const hex = number.toString(16);
const groups = `${hex.slice(0, 4)}:${hex.slice(4)}`;

describe("168.63.129.16, which leads to the host of a virtual machine on Azure", () => {
  it.each([
    "168.63.129.16",
    "168.63.129.16.",
    "168.63.33040",
    "168.4161808",
    String(number),
    `0x${hex}`,
    `0${number.toString(8)}`,
    "0xa8.077.0201.0x10",
    "１６８.63.129.16",
    "[::ffff:168.63.129.16]",
    `[::ffff:${groups}]`,
    "[64:ff9b::168.63.129.16]",
    `[64:ff9b::${groups}]`,
    `[2002:${groups}::1]`,
    `[2606:2800:220:1:0:5efe:${groups}]`,
  ])("is refused as https://%s/", (host) => {
    const verdict = parseTargetUrl(`https://${host}/`, {});
    expect(verdict).toMatchObject({ ok: false, reason: expect.stringMatching(/ is not one; /u) });
  });

  it.each(["168.63.129.16", "::ffff:168.63.129.16", "64:ff9b::168.63.129.16"])(
    "is not dialled when a name leads to %s",
    async (address) => {
      const family = isIPv6(address) ? 6 : 4;
      const { send } = openSender({ privateTargets: false, resolve: async () => [{ address, family }] });
      expect(await send("https://hooks.example.com/")).toMatchObject({ failure: "blocked_address" });
    },
  );

  it("is the only address that is refused around it", () => {
    fc.assert(
      fc.property(fc.integer({ min: number - 300, max: number + 300 }), (each) => {
        const address = [24, 16, 8, 0].map((bits) => (each >>> bits) & 255).join(".");
        expect(isPublicAddress(address)).toBe(each !== number);
        expect(isPublicAddress(`::ffff:${address}`)).toBe(each !== number);
      }),
    );
  });
});

describe("a port that is not allowed", () => {
  it("is not dialled, although the webhook was created when it was allowed", async () => {
    const resolve = async () => {
      throw new Error("the name of a refused URL is not looked up");
    };
    const { send } = openSender({ privateTargets: false, resolve });
    expect(await send("https://hooks.example.com:25/")).toMatchObject({
      status: null,
      failure: "blocked_address",
      detail:
        "The webhook's URL must not use port 25; allowed ports are 443, 8443, 1024 to 65535. Nothing was sent.",
    });
  });

  it("is what the option says", () => {
    const policy = { allowedTargetPorts: [443, [8_000, 8_100]] } as const;
    expect(parseTargetUrl("https://example.com:8050/", policy)).toMatchObject({ ok: true });
    expect(parseTargetUrl("https://example.com:9000/", policy)).toMatchObject({
      ok: false,
      reason: "must not use port 9000; allowed ports are 443, 8000 to 8100",
    });
  });

  it("does not exist in trials, nor for an origin that is trusted", () => {
    const allowedTargetPorts = [443];
    for (const url of ["http://db.lan:25/", "https://hooks.corp:81/"]) {
      expect(parseTargetUrl(url, { allowedTargetPorts, privateTargets: true })).toMatchObject({ ok: true });
      const trustedOrigins = [new URL(url).origin];
      expect(parseTargetUrl(url, { allowedTargetPorts, trustedOrigins })).toMatchObject({ ok: true });
      expect(parseTargetUrl(url, { allowedTargetPorts })).toMatchObject({ ok: false });
    }
  });
});

it("a receiver on a high port of this machine is delivered to in trials", async () => {
  const receiver = await openReceiver({ onRequest: (socket) => socket.write("HTTP/1.1 204 Done\r\n\r\n") });
  const { send } = openSender({ allowedTargetPorts: [443] });
  expect(await send(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({ status: 204 });
});
