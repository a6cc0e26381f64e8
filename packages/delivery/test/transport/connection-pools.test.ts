import fc from "fast-check";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createConnectionPools } from "../../src/transport/connection-pools.ts";
import type { ConnectionPool, PooledConnection } from "../../src/transport/connection-pools.ts";
import { Deadline } from "../../src/transport/deadline.ts";

interface FakeConnection extends PooledConnection<FakeConnection> {
  readonly name: string;
  readonly pool: ConnectionPool<FakeConnection>;
  readonly end: () => void;
}

const hour = 3_600_000;
const here = "https://a.example";
const elsewhere = "https://b.example";

const destroyed: string[] = [];

beforeEach(() => {
  destroyed.length = 0;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
});

function createPools(maximumIdle = 1_024) {
  const pools = createConnectionPools<FakeConnection>(maximumIdle);
  const connect = (name: string, accountId = "acc_1", origin = here): FakeConnection => {
    let isOpen = true;
    const connection: FakeConnection = {
      name,
      pool: pools.open(accountId, origin),
      isReused: false,
      // As the transport does.
      deadline: new Deadline(() => {
        connection.socket.destroy();
        connection.end();
      }),
      socket: {
        destroy() {
          destroyed.push(name);
          // As the event `close` of a socket does, after the caller has finished.
          queueMicrotask(connection.end);
        },
      },
      end: () => {
        if (!isOpen) return;
        isOpen = false;
        connection.deadline.close();
        pools.remove(connection);
      },
    };
    return connection;
  };
  return {
    ...pools,
    connect,
    /** A new connection that has served one request. */
    putNew: (name: string, accountId?: string, origin?: string, keepAlive?: string) =>
      pools.put(connect(name, accountId, origin), keepAlive),
    takeName: (accountId = "acc_1", origin = here) => pools.take(accountId, origin)?.name,
    /** From now on several connections of the pool may be reused at once. */
    provenBy(name: string, accountId = "acc_1", origin = here) {
      pools.put(connect(name, accountId, origin), undefined);
      const connection = pools.take(accountId, origin);
      if (connection !== undefined) pools.reuseWorked(connection);
      return connection;
    },
  };
}

describe("an idle connection", () => {
  it("is taken once, and the newest first", () => {
    const pools = createPools();
    pools.provenBy("in use");
    for (const name of ["first", "second"]) pools.putNew(name);
    expect([pools.takeName(), pools.takeName(), pools.takeName()]).toEqual(["second", "first", undefined]);
    expect(destroyed).toEqual([]);
  });

  it("is taken by its own account for its own origin only", () => {
    const pools = createPools();
    pools.putNew("first");
    expect(pools.takeName("acc_1", elsewhere)).toBeUndefined();
    expect(pools.takeName("acc_2", here)).toBeUndefined();
    expect(pools.takeName("acc_1", here)).toBe("first");
  });

  it.each([
    ["no Keep-Alive", undefined, 4_000],
    ["no time-out", "max=100", 4_000],
    ["three seconds", "timeout=3, max=100", 2_000],
    ["an hour", "timeout=3600", 4_000],
  ])("is kept a second less than its Keep-Alive, and at most four seconds: %s", (_, keepAlive, limitMs) => {
    const pools = createPools();
    const connection = pools.connect("in time");
    pools.put(connection, keepAlive);
    vi.advanceTimersByTime(limitMs - 1);
    expect(pools.takeName()).toBe("in time");
    pools.put(connection, keepAlive);
    vi.advanceTimersByTime(limitMs);
    expect(pools.takeName()).toBeUndefined();
    expect(destroyed).toEqual(["in time"]);
  });

  it.each(["timeout=0", "timeout=1"])("is not kept when its receiver closes it at once: %s", (keepAlive) => {
    const pools = createPools();
    pools.putNew("closed", "acc_1", here, keepAlive);
    expect(destroyed).toEqual(["closed"]);
    expect(pools.takeName()).toBeUndefined();
  });

  it("is closed when its time is over", () => {
    const pools = createPools();
    pools.putNew("long");
    pools.putNew("short", "acc_1", here, "timeout=2");
    vi.advanceTimersByTime(1_000);
    expect(destroyed).toEqual(["short"]);
    vi.advanceTimersByTime(3_000);
    expect(destroyed).toEqual(["short", "long"]);
    expect(pools.takeName()).toBeUndefined();
  });

  it("that was closed is not taken, and the others stay", () => {
    const pools = createPools();
    pools.provenBy("in use");
    const ended = pools.connect("ended");
    pools.putNew("below");
    pools.put(ended, undefined);
    pools.putNew("above");
    ended.end();
    expect([pools.takeName(), pools.takeName(), pools.takeName()]).toEqual(["above", "below", undefined]);
  });
});

describe("when there are too many idle connections", () => {
  it("the longest idle one of the account with the most is closed", () => {
    const pools = createPools(4);
    pools.putNew("quiet", "acc_quiet");
    for (const name of ["busy 1", "busy 2", "busy 3"]) {
      vi.advanceTimersByTime(1);
      pools.putNew(name, "acc_busy", `https://${name.at(-1)}.example`);
    }
    pools.putNew("other", "acc_other");
    expect(destroyed).toEqual(["busy 1"]);
    pools.putNew("busy 4", "acc_busy");
    expect(destroyed).toEqual(["busy 1", "busy 2"]);
    expect([pools.takeName("acc_quiet"), pools.takeName("acc_other")]).toEqual(["quiet", "other"]);
  });
});

describe("reuse starts with one connection", () => {
  it("until a reused connection has succeeded", () => {
    const pools = createPools();
    for (const name of ["first", "second", "third"]) pools.putNew(name);
    const trial = pools.take("acc_1", here);
    expect(trial?.name).toBe("third");
    expect(pools.takeName()).toBeUndefined();
    if (trial !== undefined) pools.reuseWorked(trial);
    expect([pools.takeName(), pools.takeName()]).toEqual(["second", "first"]);
  });

  it("and continues with the next one if it ends without a response", () => {
    const pools = createPools();
    for (const name of ["first", "second"]) pools.putNew(name);
    const trial = pools.take("acc_1", here);
    expect(pools.takeName()).toBeUndefined();
    if (trial !== undefined) trial.end();
    expect(pools.takeName()).toBe("first");
  });
});

describe("after a failure on a reused connection", () => {
  const failOnce = (
    pools: ReturnType<typeof createPools>,
    name: string,
    sentAt = performance.now(),
  ): void => {
    const connection = pools.connect(name);
    pools.put(connection, undefined);
    expect(pools.takeName()).toBe(name);
    pools.reuseFailed(connection, sentAt);
    connection.end();
  };

  it("the other idle connections of the pool are closed, and those of other pools stay", () => {
    const pools = createPools();
    for (const name of ["first", "second", "third"]) pools.putNew(name);
    pools.putNew("other origin", "acc_1", elsewhere);
    pools.putNew("other account", "acc_2", here);
    const trial = pools.take("acc_1", here);
    if (trial !== undefined) pools.reuseFailed(trial, performance.now());
    expect(destroyed.toSorted()).toEqual(["first", "second"]);
    expect(pools.takeName("acc_1", elsewhere)).toBe("other origin");
    expect(pools.takeName("acc_2", here)).toBe("other account");
  });

  it("the third one within an hour stops reuse for an hour", () => {
    const pools = createPools();
    for (const name of ["first", "second", "third"]) {
      failOnce(pools, name);
      vi.advanceTimersByTime(1_000);
    }
    pools.putNew("not kept");
    expect(destroyed).toEqual(["not kept"]);
    vi.advanceTimersByTime(hour - 1_001);
    pools.putNew("not yet");
    expect(destroyed).toEqual(["not kept", "not yet"]);
    vi.advanceTimersByTime(1);
    pools.putNew("kept");
    expect(pools.takeName()).toBe("kept");
  });

  it("failures of requests in progress at the last failure count as one with it", () => {
    const pools = createPools();
    const sentAt = performance.now();
    vi.advanceTimersByTime(10);
    for (const name of ["first", "second", "third", "fourth"]) failOnce(pools, name, sentAt);
    pools.putNew("kept");
    expect(pools.takeName()).toBe("kept");
  });

  it("fewer than three failures an hour do not stop reuse", () => {
    const pools = createPools();
    for (let round = 0; round < 6; round++) {
      failOnce(pools, `round ${round}`);
      vi.advanceTimersByTime(hour / 2);
    }
    pools.putNew("kept");
    expect(pools.takeName()).toBe("kept");
  });

  it("failures are forgotten when a thousand reused connections work between them", () => {
    const pools = createPools();
    for (let round = 0; round < 6; round++) {
      const busy = pools.provenBy("busy");
      for (let reuse = 1; reuse < 1_000; reuse++) if (busy !== undefined) pools.reuseWorked(busy);
      failOnce(pools, `round ${round}`);
      if (busy !== undefined) busy.end();
    }
    pools.putNew("kept");
    expect(pools.takeName()).toBe("kept");
  });

  it("the memory of failures is limited", () => {
    const pools = createPools();
    for (let failure = 0; failure < 3; failure++) failOnce(pools, "first");
    for (let other = 0; other < 10_000; other++) {
      const connection = pools.connect("other", `acc_other_${other}`);
      pools.reuseFailed(connection, performance.now());
      connection.end();
    }
    pools.putNew("forgotten");
    expect(pools.takeName()).toBe("forgotten");
  });
});

describe("after any sequence of put, take, end and wait", () => {
  const origins = [here, elsewhere] as const;
  const accountIds = ["acc_1", "acc_2", "acc_3"] as const;
  const step = fc.oneof(
    fc.record({
      type: fc.constant("put" as const),
      accountId: fc.constantFrom(...accountIds),
      origin: fc.constantFrom(...origins),
      keepAlive: fc.constantFrom(undefined, "timeout=2", "timeout=3"),
    }),
    fc.record({
      type: fc.constant("take" as const),
      accountId: fc.constantFrom(...accountIds),
      origin: fc.constantFrom(...origins),
    }),
    fc.record({ type: fc.constant("putBack" as const), which: fc.nat(3) }),
    fc.record({ type: fc.constant("end" as const), which: fc.nat(9), isIdle: fc.boolean() }),
    fc.record({ type: fc.constant("wait" as const), ms: fc.constantFrom(1, 500, 1_000, 2_500) }),
  );

  it("the newest connections that have not expired are idle, and never more than the limit", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80, size: "max" }), async (steps) => {
        destroyed.length = 0;
        vi.clearAllTimers();
        const maximumIdle = 4;
        const pools = createPools(maximumIdle);
        const inUse = accountIds.flatMap((accountId) =>
          origins.map((origin) => pools.provenBy("in use", accountId, origin)),
        );
        /** In the order in which they became idle. */
        let expected: { readonly one: FakeConnection; readonly until: number }[] = [];
        const gone: string[] = [];
        const used: FakeConnection[] = [];
        let number = 0;
        const idleOf = (accountId: string) => expected.filter(({ one }) => one.pool.account.id === accountId);
        const put = (one: FakeConnection, keepAlive: string | undefined): void => {
          const limitMs = keepAlive === undefined ? 4_000 : (Number(keepAlive.at(-1)) - 1) * 1_000;
          const isFull = expected.length >= maximumIdle;
          const most = Math.max(...accountIds.map((accountId) => idleOf(accountId).length));
          pools.put(one, keepAlive);
          if (isFull) {
            const victim = expected.find((entry) => destroyed.at(-1) === entry.one.name);
            if (victim === undefined) throw new Error("nothing was closed");
            expect(idleOf(victim.one.pool.account.id)).toHaveLength(most);
            expected = expected.filter((entry) => entry !== victim);
            gone.push(victim.one.name);
          }
          expected.push({ one, until: performance.now() + limitMs });
        };
        const pass = (ms: number): void => {
          vi.advanceTimersByTime(ms);
          const now = performance.now();
          gone.push(...expected.filter(({ until }) => until <= now).map(({ one }) => one.name));
          expected = expected.filter(({ until }) => until > now);
        };
        for (const next of steps) {
          if (next.type === "put")
            put(pools.connect(String(++number), next.accountId, next.origin), next.keepAlive);
          else if (next.type === "putBack") {
            const [one] = used.splice(next.which, 1);
            if (one !== undefined) put(one, undefined);
          } else if (next.type === "take") {
            const { accountId, origin } = next;
            const wanted = expected.findLast(
              ({ one }) => one.pool.account.id === accountId && one.pool.origin === origin,
            );
            expected = expected.filter((entry) => entry !== wanted);
            const taken = pools.take(accountId, origin);
            expect(taken?.name).toBe(wanted?.one.name);
            if (taken !== undefined) used.push(taken);
          } else if (next.type === "end") {
            const ended = next.isIdle ? expected[next.which]?.one : used[next.which];
            if (ended === undefined) continue;
            expected = expected.filter(({ one }) => one !== ended);
            if (used.includes(ended)) used.splice(used.indexOf(ended), 1);
            ended.end();
          } else pass(next.ms);
          // No two connections become idle at the same time.
          pass(1);
          await Promise.resolve();
          expect(destroyed.toSorted()).toEqual(gone.toSorted());
          expect(expected.length).toBeLessThanOrEqual(maximumIdle);
        }
        for (const { one } of expected) one.end();
        for (const one of used) one.end();
        for (const one of inUse) one?.end();
        expect(pools.takeName()).toBeUndefined();
        expect(vi.getTimerCount()).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});
