import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import fc from "fast-check";
import { createDeadlines, noDeadline } from "../../src/transport/deadlines.ts";
import type { Timed } from "../../src/transport/deadlines.ts";

interface Item extends Timed<Item> {
  readonly name: string;
}

const item = (name: string): Item => ({ name, deadline: noDeadline() });
let due: string[] = [];

beforeEach(() => {
  due = [];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
});

function create(options: { keepsProcess?: boolean; onDue?: (one: Item) => void } = {}) {
  const onDue = options.onDue ?? (({ name }: Item) => void due.push(name));
  return createDeadlines<Item>({ onDue, keepsProcess: options.keepsProcess ?? true });
}

describe("a deadline", () => {
  it("is met at its moment and not before, counted from when it began", () => {
    const deadlines = create();
    deadlines.begin(item("late"), performance.now(), 100);
    vi.advanceTimersByTime(30);
    deadlines.begin(item("later"), performance.now(), 100);
    deadlines.begin(item("soon"), performance.now(), 10);
    vi.advanceTimersByTime(9);
    expect(due).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(due).toEqual(["soon"]);
    vi.advanceTimersByTime(60);
    expect(due).toEqual(["soon", "late"]);
    vi.advanceTimersByTime(29);
    expect(due).toEqual(["soon", "late"]);
    vi.advanceTimersByTime(1);
    expect(due).toEqual(["soon", "late", "later"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("that has ended is met by nobody, and takes no other with it", () => {
    const deadlines = create();
    const [first, middle, last] = [item("first"), item("middle"), item("last")];
    for (const one of [first, middle, last]) deadlines.begin(one, performance.now(), 10);
    expect(deadlines.end(middle)).toBe(true);
    expect(deadlines.end(middle)).toBe(false);
    vi.advanceTimersByTime(10);
    expect(due).toEqual(["first", "last"]);
    expect(deadlines.end(first)).toBe(false);
  });

  it("takes the place of the one before", () => {
    const [some, others] = [create(), create()];
    const one = item("one");
    some.begin(one, performance.now(), 10);
    some.begin(one, performance.now(), 20);
    others.begin(one, performance.now(), 40);
    expect(some.end(one)).toBe(false);
    vi.advanceTimersByTime(39);
    expect(due).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(due).toEqual(["one"]);
  });

  it("may begin anew for what has met it", () => {
    const deadlines = create({
      onDue(one) {
        due.push(one.name);
        if (due.length < 3) deadlines.begin(one, performance.now(), 10);
      },
    });
    deadlines.begin(item("again"), performance.now(), 10);
    vi.advanceTimersByTime(100);
    expect(due).toEqual(["again", "again", "again"]);
  });

  it("is met although another's throws", () => {
    const deadlines = create({
      onDue({ name }) {
        due.push(name);
        if (name === "bad") throw new Error("bad");
      },
    });
    deadlines.begin(item("bad"), performance.now(), 10);
    deadlines.begin(item("good"), performance.now(), 10);
    expect(() => vi.advanceTimersByTime(10)).toThrow("bad");
    vi.advanceTimersByTime(1);
    expect(due).toEqual(["bad", "good"]);
  });

  it("is over when all are", () => {
    const deadlines = create();
    const one = item("one");
    deadlines.begin(one, performance.now(), 10);
    deadlines.close();
    expect(deadlines.end(one)).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is over when all are, in the middle of those that are due too", () => {
    const deadlines = create({
      onDue({ name }) {
        due.push(name);
        deadlines.close();
      },
    });
    for (const name of ["first", "second"]) deadlines.begin(item(name), performance.now(), 10);
    vi.advanceTimersByTime(100);
    expect(due).toEqual(["first"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is met where only timers go by a clock of their own", () => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const deadlines = create();
    deadlines.begin(item("first"), performance.now(), 10_000);
    vi.advanceTimersByTime(9_999);
    expect(due).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(due).toEqual(["first"]);
  });

  it("is met although the timer of those before it is lost", async () => {
    const met = Promise.withResolvers<string>();
    const deadlines = create({ onDue: ({ name }) => met.resolve(name) });
    const before = item("before");
    deadlines.begin(before, performance.now(), 20);
    deadlines.end(before);
    vi.useRealTimers();
    deadlines.begin(item("after"), performance.now(), 20);
    expect(await met.promise).toBe("after");
  });
});

describe("the process", () => {
  it("stays for as long as somebody has a deadline, and no longer", () => {
    vi.useRealTimers();
    const timersThatStay = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timersThatStay();
    const deadlines = create();
    const one = item("one");
    deadlines.begin(one, performance.now(), 60_000);
    expect(timersThatStay()).toBe(before + 1);
    deadlines.end(one);
    expect(timersThatStay()).toBe(before);
    deadlines.begin(one, performance.now(), 60_000);
    expect(timersThatStay()).toBe(before + 1);
    deadlines.close();
    const idle = create({ keepsProcess: false });
    idle.begin(item("idle"), performance.now(), 60_000);
    expect(timersThatStay()).toBe(before);
    idle.close();
  });
});

describe("whatever begins and ends", () => {
  const step = fc.oneof(
    fc.record({ type: fc.constant("begin" as const), who: fc.nat(5), ms: fc.constantFrom(1, 5, 5, 20) }),
    fc.record({ type: fc.constant("end" as const), who: fc.nat(5) }),
    fc.record({ type: fc.constant("wait" as const), ms: fc.nat(12) }),
  );

  it("each is due when it is due, once", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
        const met: string[] = [];
        const deadlines = create({ onDue: ({ name }) => void met.push(`${name} at ${performance.now()}`) });
        const items = Array.from({ length: 6 }, (_, index) => item(String(index)));
        const expected: string[] = [];
        const dueAt = new Map<number, number>();
        const pass = (until: number): void => {
          for (const [who, at] of dueAt) {
            if (at > until) continue;
            expected.push(`${who} at ${at}`);
            dueAt.delete(who);
          }
        };
        for (const one of steps) {
          const now = performance.now();
          if (one.type === "wait") {
            vi.advanceTimersByTime(one.ms);
            pass(now + one.ms);
            continue;
          }
          const target = items[one.who];
          if (target === undefined) continue;
          if (one.type === "end") {
            expect(deadlines.end(target)).toBe(dueAt.delete(one.who));
            continue;
          }
          deadlines.begin(target, now, one.ms);
          dueAt.set(one.who, now + one.ms);
        }
        vi.advanceTimersByTime(50);
        pass(Number.POSITIVE_INFINITY);
        expect(met.toSorted()).toEqual(expected.toSorted());
        expect(vi.getTimerCount()).toBe(0);
      }),
    );
  });
});
