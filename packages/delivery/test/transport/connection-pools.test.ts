import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createConnectionPools } from "../../src/transport/connection-pools.ts";
import type { ConnectionPool, PooledConnection } from "../../src/transport/connection-pools.ts";
import { createDeadline } from "../../src/transport/deadline.ts";

interface FakeConnection extends PooledConnection<FakeConnection> {
  readonly name: string;
  readonly pool: ConnectionPool<FakeConnection>;
  readonly end: () => void;
}

const hour = 3_600_000;
const here = "https://a.example";

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
      deadline: createDeadline(() => {
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
