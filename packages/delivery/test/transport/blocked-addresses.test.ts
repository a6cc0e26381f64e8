import { describe, expect, it } from "vitest";
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
];

describe("an address that is not public is dialled by no delivery", () => {
  it.each(blocked)("when a name leads to %s", async (address) => {
    const family = address.includes(":") ? 6 : 4;
    const { send } = openSender({ privateTargets: false, resolve: async () => [{ address, family }] });
    expect(await send("https://hooks.example.com/")).toMatchObject({
      status: null,
      failure: "blocked_address",
    });
  });

  it.each(blocked)("when the target names %s itself", async (address) => {
    const { send } = openSender({ privateTargets: false });
    const host = address.includes(":") ? `[${address}]` : address;
    const { status, failure } = await send(`https://${host}/`);
    expect({ status, failure }).toEqual({ status: null, failure: "blocked_address" });
  });

  it("when a name that was public at one connection is private at the next", async () => {
    const asked: string[] = [];
    const { send } = openSender({
      privateTargets: false,
      // 192.0.2.1 is for documentation: not public either. Each connection asks anew.
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
