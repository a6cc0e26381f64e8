import { describe, expect, it } from "vitest";
import { createNetworkThrottle } from "../src/sign-in/network-throttle.ts";
import { openService } from "./support/open-service.ts";
import { useQuickScrypt } from "./support/quick-scrypt.ts";

useQuickScrypt();
const clientAddress = "93.184.215.14";

function openThrottle() {
  let time = Date.UTC(2026, 10, 20);
  const throttle = createNetworkThrottle({ now: () => time });
  return {
    throttle,
    pass: (ms: number) => void (time += ms),
    fail(address: string | undefined, times: number, isForwarded = false) {
      for (let count = 0; count < times; count++) throttle.take({ clientAddress: address, isForwarded });
    },
  };
}

describe("sign-ins from one network", () => {
  it("are refused after thirty failures in a minute, unlike sign-ins from other networks", () => {
    const { throttle, pass, fail } = openThrottle();
    fail(clientAddress, 1);
    pass(20_000);
    fail(clientAddress, 29);
    const refused = expect.objectContaining({
      code: "rate_limited",
      status: 429,
      retryAfterSeconds: 40,
      message: "Too many failed sign-ins from this network. Try again in 40 seconds.",
    });
    expect(() => throttle.take({ clientAddress })).toThrow(refused);
    expect(() => throttle.check({ clientAddress })).toThrow(refused);
    expect(() => throttle.take({ clientAddress: "93.184.215.15" })).not.toThrow();
    pass(40_000);
    fail(clientAddress, 1);
    expect(() => throttle.take({ clientAddress })).toThrow("from this network");
    pass(60_000);
    fail(clientAddress, 30);
  });

  it("are allowed after the clock stepped back", () => {
    const { throttle, pass, fail } = openThrottle();
    fail(clientAddress, 30);
    pass(-3_600_000);
    expect(() => throttle.take({ clientAddress })).not.toThrow();
  });

  it("are not counted if they succeed", () => {
    const { throttle, fail } = openThrottle();
    for (let attempt = 0; attempt < 100; attempt++) throttle.take({ clientAddress })();
    expect(() => fail(clientAddress, 30)).not.toThrow();
  });

  it.each([
    undefined,
    "127.0.0.1",
    "::1",
    "10.0.0.1",
    "192.168.1.1",
    "::ffff:172.16.0.1",
    "fe80::1",
    "fd00::1",
  ])("are not counted for %j, which may be a proxy or is unknown", (address) => {
    const { fail } = openThrottle();
    expect(() => fail(address, 100)).not.toThrow();
  });

  it.each(["10.0.0.1", "127.0.0.1", "fd00::1"])(
    "are counted for %j if a trusted proxy reported it",
    (address) => {
      const { fail } = openThrottle();
      fail(address, 30, true);
      expect(() => fail(address, 1, true)).toThrow("from this network");
    },
  );

  it("are counted per IPv6 /64, and per IPv4 address in any notation", () => {
    const { throttle, fail } = openThrottle();
    for (let host = 0; host < 30; host++) fail(`2606:4700:0:1::${host.toString(16)}`, 1);
    expect(() => throttle.take({ clientAddress: "2606:4700:0:1:ffff::1" })).toThrow("from this network");
    expect(() => throttle.take({ clientAddress: "2606:4700:0:2::1" })).not.toThrow();
    fail(clientAddress, 30);
    expect(() => throttle.take({ clientAddress: `::ffff:${clientAddress}` })).toThrow("from this network");
  });

  it("are forgotten for the least recent network above 10,000 networks", () => {
    const { throttle, fail } = openThrottle();
    const other = "93.184.215.15";
    fail(other, 29);
    fail(clientAddress, 30);
    fail(other, 1);
    expect(() => throttle.take({ clientAddress })).toThrow("from this network");
    for (let number = 0; number < 9_999; number++) fail(`9.1.${number >> 8}.${number & 255}`, 1);
    expect(() => throttle.take({ clientAddress: other })).toThrow("from this network");
    expect(() => throttle.take({ clientAddress })).not.toThrow();
  });

  it("are refused before the password check, and refused sign-ins do not count for the address", async () => {
    const { service } = openService();
    const email = "owner@example.com";
    const password = "correct horse battery";
    await service.accounts.put("acc_1", { email, password });
    const guess = (number: number) => ({ email: `somebody${number}@example.com`, password });
    for (let number = 0; number < 29; number++) {
      await expect(
        service.sessions.create(guess(Math.floor(number / 5)), { clientAddress }),
      ).rejects.toMatchObject({ code: "invalid_credentials" });
    }
    // An attempt that the address limit refuses does not count for the network.
    for (let number = 0; number < 50; number++) {
      await expect(service.sessions.create(guess(0), { clientAddress })).rejects.toMatchObject({
        message: expect.stringContaining("for this address"),
      });
    }
    await expect(service.sessions.create(guess(9), { clientAddress })).rejects.toMatchObject({
      code: "invalid_credentials",
    });
    for (let number = 0; number < 10; number++) {
      await expect(service.sessions.create({ email, password }, { clientAddress })).rejects.toMatchObject({
        message: expect.stringContaining("from this network"),
      });
    }
    const elsewhere = { clientAddress: "8.8.8.8" };
    expect((await service.sessions.create({ email, password }, elsewhere)).account.id).toBe("acc_1");
    expect((await service.sessions.create({ email, password })).account.id).toBe("acc_1");
  });
});
