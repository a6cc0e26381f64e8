import { describe, expect, it } from "vitest";
import { createPasswordQueue } from "../src/sign-in/password-queue.ts";

const limits = { maximumWaiting: 64, maximumOfNetwork: 32, maximumWaitMs: 10_000 };

/** A queue whose checks end when the test calls `finish`. No network has failures, unless the test counts some. */
function openQueue(given: Partial<typeof limits> = {}) {
  const failures = new Map<string, number>();
  let time = Date.UTC(2026, 10, 29);
  const queue = createPasswordQueue({
    ...limits,
    ...given,
    failuresOf: (network) => failures.get(network) ?? 0,
    now: () => time,
  });
  const started: string[] = [];
  const refused: string[] = [];
  const running: (() => void)[] = [];
  return {
    started,
    refused,
    failures,
    pass: (ms: number) => void (time += ms),
    /** Queues a check. The first letter of its name is the network, the digit is the address. */
    ask(name: string): void {
      const [network = "", email = ""] = name;
      queue
        .run({ network, email }, async () => {
          started.push(name);
          await new Promise<void>((resolve) => running.push(resolve));
        })
        .catch((error: unknown) => {
          expect(error).toMatchObject({ code: "rate_limited", status: 429, retryAfterSeconds: 5 });
          refused.push(name);
        });
    },
    /** Ends the running check, and every one after it. */
    async finish(): Promise<void> {
      await settle();
      for (let end = running.shift(); end !== undefined; end = running.shift()) {
        end();
        await settle();
      }
    },
  };
}

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe("the queue of password checks", () => {
  it("runs one check at a time, of the newest network first, and then round-robin", async () => {
    const { ask, finish, started } = openQueue();
    for (const name of ["a1.1", "a1.2", "a2.1", "a3.1", "b1.1", "b1.2", "c1.1"]) ask(name);
    await settle();
    expect(started).toEqual(["a1.1"]);
    await finish();
    expect(started).toEqual(["a1.1", "c1.1", "b1.1", "a1.2", "b1.2", "a2.1", "a3.1"]);
  });

  it("serves the addresses of a network round-robin, and the checks of an address in order", async () => {
    const { ask, finish, started } = openQueue();
    for (const name of ["a1.0", "a1.1", "a1.2", "a1.3", "a2.1", "a2.2"]) ask(name);
    await finish();
    expect(started).toEqual(["a1.0", "a1.1", "a2.1", "a1.2", "a2.2", "a1.3"]);
  });

  it("serves the networks with the fewest recent failures first, and those with equally many round-robin", async () => {
    const { ask, finish, started, failures } = openQueue();
    for (const [network, count] of Object.entries({ a: 9, b: 9, c: 1 })) failures.set(network, count);
    for (const name of ["a1.1", "a1.2", "a1.3", "b1.1", "b1.2", "c1.1", "d1.1"]) ask(name);
    await finish();
    expect(started).toEqual(["a1.1", "d1.1", "c1.1", "b1.1", "a1.2", "b1.2", "a1.3"]);
  });

  it("evicts a check of the network with the most failures when it is full", async () => {
    const { ask, finish, started, refused, failures } = openQueue({ maximumWaiting: 4 });
    for (const [network, count] of Object.entries({ a: 1, b: 9, c: 9, e: 9 })) failures.set(network, count);
    for (const name of ["a1.0", "a1.1", "a1.2", "b1.1", "c1.1", "d1.1"]) ask(name);
    await settle();
    // Of b and c the older one.
    expect(refused).toEqual(["b1.1"]);
    ask("e1.1");
    await settle();
    expect(refused).toEqual(["b1.1", "c1.1"]);
    await finish();
    expect(started).toEqual(["a1.0", "d1.1", "a1.1", "a1.2", "e1.1"]);
  });

  it("refuses checks that have waited too long", async () => {
    const { ask, finish, started, refused, pass } = openQueue();
    for (const name of ["a1.0", "a1.1", "a2.1"]) ask(name);
    await settle();
    pass(10_001);
    ask("a2.2");
    ask("b1.1");
    await finish();
    expect(refused).toEqual(["a1.1", "a2.1"]);
    expect(started).toEqual(["a1.0", "b1.1", "a2.2"]);
  });

  it("continues after a check that fails", async () => {
    const queue = createPasswordQueue({ ...limits, failuresOf: () => 0, now: () => 0 });
    const check = { network: "a", email: "1" };
    const failing = queue.run(check, () => Promise.reject(new Error("the store is unavailable")));
    const next = queue.run(check, async () => "done");
    await expect(failing).rejects.toThrow("the store is unavailable");
    expect(await next).toBe("done");
    expect(await queue.run(check, async () => "again")).toBe("again");
  });

  it("evicts the newest check of the largest network when it is full", async () => {
    const { ask, finish, started, refused } = openQueue({ maximumWaiting: 4 });
    for (const name of ["a1.0", "a1.1", "a2.1", "a1.2", "a1.3", "b1.1", "b1.2"]) ask(name);
    await settle();
    // Network b had no check and then one. Network a had four and then three.
    expect(refused).toEqual(["a1.3", "a1.2"]);
    ask("b1.3");
    await settle();
    // Networks a and b have the same size.
    expect(refused).toEqual(["a1.3", "a1.2", "b1.3"]);
    ask("c1.1");
    await settle();
    expect(refused).toHaveLength(4);
    expect(refused).not.toContain("c1.1");
    await finish();
    expect(started).toContain("c1.1");
    expect(started).toHaveLength(5);
  });

  it("refuses a new check of the largest network when it is full", async () => {
    const { ask, finish, started, refused } = openQueue({ maximumWaiting: 3 });
    for (const name of ["a1.0", "a1.1", "a2.1", "b1.1", "a3.1"]) ask(name);
    await settle();
    expect(refused).toEqual(["a3.1"]);
    await finish();
    expect(started).toEqual(["a1.0", "b1.1", "a1.1", "a2.1"]);
  });

  it("evicts the newest check of the largest address when a network has its maximum", async () => {
    const { ask, finish, started, refused } = openQueue({ maximumOfNetwork: 3 });
    for (const name of ["a1.0", "a1.1", "a1.2", "a1.3", "a2.1"]) ask(name);
    await settle();
    expect(refused).toEqual(["a1.3"]);
    ask("a2.2");
    await settle();
    expect(refused).toEqual(["a1.3", "a2.2"]);
    await finish();
    expect(started).toEqual(["a1.0", "a1.1", "a2.1", "a1.2"]);
  });

  it("never exceeds its maximum during a flood, and serves every network", async () => {
    const { ask, finish, started, refused } = openQueue();
    for (let number = 0; number < 1_000; number++) ask(`a${number % 10}.${number}`);
    for (const network of "bcdefghij") ask(`${network}1.1`);
    await settle();
    expect(refused).toHaveLength(1_000 - 1 - 32);
    await finish();
    // Each other network waits only for one check of the flood and for the networks before it.
    const others = started.filter((name) => !name.startsWith("a"));
    expect(others).toHaveLength(9);
    expect(started.indexOf("j1.1")).toBeLessThanOrEqual(11);
  });
});
