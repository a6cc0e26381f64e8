import { describe, expect, it } from "vitest";
import { createPeerThrottle } from "../src/console/peer-throttle.ts";
import { toPeerNetwork } from "../src/console/peer-network.ts";
import { openService } from "./support/open-service.ts";

const peerAddress = "93.184.215.14";

function openThrottle() {
  let time = Date.UTC(2026, 10, 20);
  const throttle = createPeerThrottle({ now: () => time });
  return {
    throttle,
    pass: (ms: number) => void (time += ms),
    fail(address: string | undefined, times: number) {
      for (let count = 0; count < times; count++) throttle.take(address);
    },
  };
}

describe("sign-ins from one network", () => {
  it("are slowed down after thirty failures in a minute, others not", () => {
    const { throttle, pass, fail } = openThrottle();
    fail(peerAddress, 1);
    pass(20_000);
    fail(peerAddress, 29);
    expect(() => throttle.take(peerAddress)).toThrow(
      expect.objectContaining({
        code: "rate_limited",
        status: 429,
        retryAfterSeconds: 40,
        message: "Too many failed sign-ins from this network. Try again in 40 seconds.",
      }),
    );
    expect(() => throttle.take("93.184.215.15")).not.toThrow();
    pass(40_000);
    fail(peerAddress, 1);
    expect(() => throttle.take(peerAddress)).toThrow("from this network");
    pass(60_000);
    fail(peerAddress, 30);
  });

  it("keep nobody out for a clock that stepped back", () => {
    const { throttle, pass, fail } = openThrottle();
    fail(peerAddress, 30);
    pass(-3_600_000);
    expect(() => throttle.take(peerAddress)).not.toThrow();
  });

  it("do not count where they succeed, however many are under way", () => {
    const { throttle, fail } = openThrottle();
    for (let round = 0; round < 10; round++) {
      const underWay = Array.from({ length: 30 }, () => throttle.take(peerAddress));
      expect(() => throttle.take(peerAddress)).toThrow("from this network");
      for (const forgive of underWay) forgive();
    }
    fail(peerAddress, 30);
  });

  it.each([
    undefined,
    "",
    "127.0.0.1",
    "::1",
    "10.0.0.1",
    "192.168.1.1",
    "::ffff:172.16.0.1",
    "fe80::1",
    "fd00::1",
  ])("are not counted for %j, which is nobody's or most likely a proxy", (address) => {
    const { fail } = openThrottle();
    expect(() => fail(address, 100)).not.toThrow();
  });

  it("are those of a whole /64, and of an IPv4 address however it is written", () => {
    const { throttle, fail } = openThrottle();
    for (let host = 0; host < 30; host++) fail(`2606:4700:0:1::${host.toString(16)}`, 1);
    expect(() => throttle.take("2606:4700:0:1:ffff::1")).toThrow("from this network");
    expect(() => throttle.take("2606:4700:0:2::1")).not.toThrow();
    fail(peerAddress, 30);
    expect(() => throttle.take(`::ffff:${peerAddress}`)).toThrow("from this network");
  });

  it("are forgotten for the network that failed longest ago when there are too many", () => {
    const { throttle, fail } = openThrottle();
    const other = "93.184.215.15";
    fail(other, 29);
    fail(peerAddress, 30);
    fail(other, 1);
    expect(() => throttle.take(peerAddress)).toThrow("from this network");
    for (let number = 0; number < 9_999; number++) fail(`9.1.${number >> 8}.${number & 255}`, 1);
    expect(() => throttle.take(other)).toThrow("from this network");
    expect(() => throttle.take(peerAddress)).not.toThrow();
  });

  // Thirty-two passwords are derived, each of which is meant to take a while.
  it("are refused ahead of the password, and use up nobody's tries", { timeout: 60_000 }, async () => {
    const { service } = openService();
    const email = "owner@example.com";
    const password = "correct horse battery";
    await service.accounts.put("acc_1", { email, password });
    const guess = (number: number) => ({ email: `somebody${number}@example.com`, password });
    for (let number = 0; number < 29; number++) {
      await expect(
        service.sessions.create(guess(Math.floor(number / 5)), { peerAddress }),
      ).rejects.toMatchObject({ code: "invalid_credentials" });
    }
    // What is refused for the address's sake was no guess, and is none of the network's.
    for (let number = 0; number < 50; number++) {
      await expect(service.sessions.create(guess(0), { peerAddress })).rejects.toMatchObject({
        code: "rate_limited",
      });
    }
    await expect(service.sessions.create(guess(9), { peerAddress })).rejects.toMatchObject({
      code: "invalid_credentials",
    });
    for (let number = 0; number < 10; number++) {
      await expect(service.sessions.create({ email, password }, { peerAddress })).rejects.toMatchObject({
        code: "rate_limited",
      });
    }
    expect((await service.sessions.create({ email, password }, { peerAddress: "8.8.8.8" })).account.id).toBe(
      "acc_1",
    );
    expect((await service.sessions.create({ email, password })).account.id).toBe("acc_1");
  });
});

it.each([
  ["is full already", async () => new Promise(setImmediate)],
  ["fills up in the same moment", async () => {}],
])("sign-ins for which there is no room use up none of their address's tries: it %s", async (_, pause) => {
  // Others look up their accounts until this, and then find the store away: no password is derived for them.
  const { promise: away, reject } = Promise.withResolvers<never>();
  away.catch(() => {});
  let isFull = true;
  const { service } = openService({
    wrap: (store) => ({ ...store, list: (options) => (isFull ? away : store.list(options)) }),
  });
  const owner = { email: "owner@example.com", password: "correct horse battery" };
  await service.accounts.put("acc_1", owner);
  const others = Promise.allSettled(
    Array.from({ length: 33 }, (_, number) =>
      service.sessions.create({ ...owner, email: `somebody${number}@example.com` }),
    ),
  );
  await pause();
  const tries = await Promise.allSettled(Array.from({ length: 10 }, () => service.sessions.create(owner)));
  const refused = { status: "rejected", reason: { message: expect.stringContaining("at this moment") } };
  expect(tries).toMatchObject(tries.map(() => refused));
  reject(new Error("the store is away"));
  await others;
  isFull = false;
  expect((await service.sessions.create(owner)).account.id).toBe("acc_1");
});

it.each([
  ["93.184.215.14", "93.184.215.14"],
  ["::ffff:93.184.215.14", "93.184.215.14"],
  ["2606:4700::1", "2606:4700:0:0"],
  ["2606::", "2606:0:0:0"],
  ["2606:4700:1:2:3:4:5:6", "2606:4700:1:2"],
  ["2606:4700:1:2:3:4:5::", "2606:4700:1:2"],
  ["2606::1:2:3:4:5:6", "2606:0:1:2"],
  ["2A00:1450:4001:80B::200E", "2a00:1450:4001:80b"],
])("%s belongs to the network %s", (address, network) => {
  expect(toPeerNetwork(address)).toBe(network);
});
