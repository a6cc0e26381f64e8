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

  it("makes room when there are too many: the one whose time is up first, whatever its origin", () => {
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
