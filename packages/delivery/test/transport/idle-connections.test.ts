import fc from "fast-check";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { noDeadline } from "../../src/transport/deadlines.ts";
import type { Timed } from "../../src/transport/deadlines.ts";
import { createIdleConnections } from "../../src/transport/idle-connections.ts";

interface FakeConnection extends Timed<FakeConnection> {
  readonly name: string;
  readonly origin: string;
  readonly socket: { destroy(): void };
}

const destroyed: string[] = [];

beforeEach(() => {
  destroyed.length = 0;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
});

function connection(name: string, origin = "https://a.example"): FakeConnection {
  return { name, origin, socket: { destroy: () => void destroyed.push(name) }, deadline: noDeadline() };
}

function createIdle(maximumIdle = 1_024) {
  const idle = createIdleConnections<FakeConnection>({ maximumIdle });
  onTestFinished(() => idle.close());
  return idle;
}

describe("an idle connection", () => {
  it("is taken once, the last one first, and for its own origin alone", () => {
    const idle = createIdle();
    for (const name of ["first", "second"]) idle.put(connection(name), undefined);
    expect(idle.take("https://b.example")).toBeUndefined();
    expect(idle.take("https://a.example")?.name).toBe("second");
    expect(idle.take("https://a.example")?.name).toBe("first");
    expect(idle.take("https://a.example")).toBeUndefined();
    expect(destroyed).toEqual([]);
  });

  it.each([
    ["nothing is promised", undefined, 4_000],
    ["no time-out is promised", "max=100", 4_000],
    ["three seconds are promised", "timeout=3, max=100", 2_000],
    ["an hour is promised", "timeout=3600", 4_000],
  ])("is kept a second less than is promised, and four at most: %s", (_, keepAlive, limitMs) => {
    const idle = createIdle();
    idle.put(connection("in time"), keepAlive);
    vi.advanceTimersByTime(limitMs - 1);
    expect(idle.take("https://a.example")?.name).toBe("in time");
    idle.put(connection("late"), keepAlive);
    vi.advanceTimersByTime(limitMs);
    expect(idle.take("https://a.example")).toBeUndefined();
    expect(destroyed).toEqual(["late"]);
  });

  it.each(["timeout=0", "timeout=1"])(
    "is not kept at all where its receiver closes it at once: %s",
    (keepAlive) => {
      const idle = createIdle();
      idle.put(connection("closed"), keepAlive);
      expect(destroyed).toEqual(["closed"]);
      expect(idle.take("https://a.example")).toBeUndefined();
    },
  );

  it("is closed at its end, though nobody asks for it", () => {
    const idle = createIdle();
    idle.put(connection("long"), undefined);
    idle.put(connection("short"), "timeout=2");
    vi.advanceTimersByTime(1_000);
    expect(destroyed).toEqual(["short"]);
    vi.advanceTimersByTime(3_000);
    expect(destroyed).toEqual(["short", "long"]);
    expect(idle.take("https://a.example")).toBeUndefined();
  });

  it("makes room when there are too many: the one that was idle longest, whatever its origin", () => {
    const idle = createIdle(2);
    idle.put(connection("first"), undefined);
    idle.put(connection("second", "https://b.example"), undefined);
    idle.put(connection("third"), undefined);
    expect(destroyed).toEqual(["first"]);
    expect(idle.take("https://b.example")?.name).toBe("second");
    expect(idle.take("https://a.example")?.name).toBe("third");
    expect(idle.take("https://a.example")).toBeUndefined();
  });

  it("that ends by itself is not given to anybody, and takes no other with it", () => {
    const idle = createIdle();
    const ended = connection("ended");
    idle.put(connection("below"), undefined);
    idle.put(ended, undefined);
    idle.put(connection("above"), undefined);
    idle.remove(ended);
    idle.remove(ended);
    expect(idle.take("https://a.example")?.name).toBe("above");
    expect(idle.take("https://a.example")?.name).toBe("below");
    expect(idle.take("https://a.example")).toBeUndefined();
  });

  it("is closed with all others", () => {
    const idle = createIdle();
    idle.put(connection("first"), undefined);
    idle.put(connection("second", "https://b.example"), undefined);
    idle.close();
    expect(destroyed).toEqual(["first", "second"]);
    expect(idle.take("https://a.example")).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("whatever is put, taken and ended", () => {
  const origins = ["https://a.example", "https://b.example", "https://c.example"] as const;
  const step = fc.oneof(
    fc.record({
      type: fc.constant("put" as const),
      origin: fc.constantFrom(...origins),
      keepAlive: fc.constantFrom(undefined, "timeout=2", "timeout=3"),
    }),
    fc.record({ type: fc.constant("take" as const), origin: fc.constantFrom(...origins) }),
    fc.record({ type: fc.constant("putBack" as const), which: fc.nat(3) }),
    fc.record({ type: fc.constant("end" as const), which: fc.nat(9), isIdle: fc.boolean() }),
    fc.record({ type: fc.constant("wait" as const), ms: fc.constantFrom(1, 500, 1_000, 2_500) }),
  );

  it("idle are the newest of each origin that have their time, and never more than there may be", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80, size: "max" }), (steps) => {
        destroyed.length = 0;
        vi.clearAllTimers();
        const maximumIdle = 4;
        const idle = createIdleConnections<FakeConnection>({ maximumIdle });
        /** In the order in which they became idle. */
        let expected: { readonly one: FakeConnection; readonly until: number }[] = [];
        const gone: string[] = [];
        const used: FakeConnection[] = [];
        let number = 0;
        const put = (one: FakeConnection, keepAlive: string | undefined): void => {
          const limitMs = keepAlive === undefined ? 4_000 : (Number(keepAlive.at(-1)) - 1) * 1_000;
          const oldest = expected.length >= maximumIdle ? expected.shift() : undefined;
          if (oldest !== undefined) gone.push(oldest.one.name);
          expected.push({ one, until: performance.now() + limitMs });
          idle.put(one, keepAlive);
        };
        const pass = (ms: number): void => {
          vi.advanceTimersByTime(ms);
          const now = performance.now();
          gone.push(...expected.filter(({ until }) => until <= now).map(({ one }) => one.name));
          expected = expected.filter(({ until }) => until > now);
        };
        for (const next of steps) {
          if (next.type === "put") put(connection(String(++number), next.origin), next.keepAlive);
          else if (next.type === "putBack") {
            const [one] = used.splice(next.which, 1);
            if (one !== undefined) put(one, undefined);
          } else if (next.type === "take") {
            const wanted = expected.findLast(({ one }) => one.origin === next.origin);
            expected = expected.filter((entry) => entry !== wanted);
            const taken = idle.take(next.origin);
            expect(taken?.name).toBe(wanted?.one.name);
            if (taken !== undefined) used.push(taken);
          } else if (next.type === "end") {
            const ended = next.isIdle ? expected[next.which]?.one : used[next.which];
            if (ended === undefined) continue;
            expected = expected.filter(({ one }) => one !== ended);
            if (used.includes(ended)) used.splice(used.indexOf(ended), 1);
            idle.remove(ended);
          } else pass(next.ms);
          // No two become idle in the same moment.
          pass(1);
          expect(destroyed.toSorted()).toEqual(gone.toSorted());
        }
        idle.close();
        gone.push(...expected.map(({ one }) => one.name));
        expect(destroyed.toSorted()).toEqual(gone.toSorted());
        expect(vi.getTimerCount()).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});
