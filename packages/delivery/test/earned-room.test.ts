import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createEarnedRoom, quickAnswerMs } from "../src/scheduler/lanes/earned-room.ts";
import type { EarnedRoom, TurnResult } from "../src/scheduler/lanes/earned-room.ts";

function answer(room: EarnedRoom, result: TurnResult, times: number): void {
  for (let time = 0; time < times; time++) room.answered(result, 20);
}

it("a webhook begins with eight attempts at once, one whose deliveries have waited with a single one", () => {
  expect(createEarnedRoom({ isBacklog: false })).toMatchObject({ attempts: 8, standing: "well" });
  expect(createEarnedRoom({ isBacklog: true })).toMatchObject({ attempts: 1, standing: "well" });
});

it("an acceptance adds one, up to 64, and a failure halves them, down to the eight of the beginning", () => {
  const room = createEarnedRoom({ isBacklog: false });
  answer(room, "accepted", 1);
  expect(room.attempts).toBe(9);
  answer(room, "accepted", 100);
  expect(room.attempts).toBe(64);
  answer(room, "failed", 1);
  expect(room.attempts).toBe(32);
  answer(room, "failed", 10);
  expect(room.attempts).toBe(8);
});

it("a backlog that fails has eight too: its turns are paced then, and its retries due", () => {
  const room = createEarnedRoom({ isBacklog: true });
  answer(room, "failed", 1);
  expect(room).toMatchObject({ attempts: 8, standing: "failing" });
  answer(room, "accepted", 5);
  expect(room).toMatchObject({ attempts: 8, standing: "well" });
});

it("who has failed is trusted again after three acceptances in a row, and is recovering until then", () => {
  const room = createEarnedRoom({ isBacklog: false });
  answer(room, "failed", 3);
  expect(room.standing).toBe("failing");
  answer(room, "accepted", 2);
  expect(room.standing).toBe("recovering");
  answer(room, "accepted", 1);
  expect(room).toMatchObject({ attempts: 8, standing: "well" });
});

it("who accepts three of four does well half of the time, who accepts one of two never does", () => {
  const wellOf = (acceptances: number): number => {
    const room = createEarnedRoom({ isBacklog: false });
    answer(room, "failed", 3);
    let well = 0;
    for (let turn = 0; turn < 300; turn++) {
      if (turn >= 100 && room.standing === "well") well += 1;
      room.answered(turn % (acceptances + 1) === acceptances ? "failed" : "accepted", 20);
    }
    return well / 200;
  };
  expect(wellOf(3)).toBeGreaterThanOrEqual(0.5);
  expect(wellOf(1)).toBe(0);
});

it("who has earned more than it begins with may fail without being one that fails", () => {
  const room = createEarnedRoom({ isBacklog: false });
  answer(room, "accepted", 8);
  answer(room, "failed", 1);
  expect(room).toMatchObject({ attempts: 8, standing: "well" });
  answer(room, "failed", 1);
  expect(room).toMatchObject({ attempts: 8, standing: "failing" });
});

it("a backlog that is accepted is not doubted, however little room it has yet", () => {
  const room = createEarnedRoom({ isBacklog: true });
  answer(room, "accepted", 1);
  expect(room).toMatchObject({ attempts: 2, standing: "well" });
});

it("who accepts and takes more than a second for it is slow until it has been quick three times in a row", () => {
  const room = createEarnedRoom({ isBacklog: false });
  const slow = (): void => room.answered("accepted", quickAnswerMs + 1);
  const quick = (): void => room.answered("accepted", quickAnswerMs);
  for (const answerNext of [slow, quick, quick, slow, quick, quick]) {
    answerNext();
    expect(room.standing).toBe("slow");
  }
  quick();
  expect(room.standing).toBe("well");
  answer(room, "failed", 3);
  slow();
  expect(room.standing).toBe("failing");
});

it("what is cancelled goes at once, and before those that fail", () => {
  const room = createEarnedRoom({ isBacklog: false });
  answer(room, "failed", 2);
  room.drain();
  expect(room.standing).toBe("well");
  answer(room, "cancelled", 1);
  expect(room).toMatchObject({ attempts: 64, standing: "well" });
});

it("after whatever answers a webhook may have one attempt under way, and never more than 64", () => {
  const answers = fc.record({
    result: fc.constantFrom<TurnResult>("accepted", "accepted", "failed", "cancelled"),
    durationMs: fc.nat({ max: 10_000 }),
  });
  fc.assert(
    fc.property(fc.boolean(), fc.array(answers, { maxLength: 200 }), (isBacklog, given) => {
      const room = createEarnedRoom({ isBacklog });
      for (const { result, durationMs } of given) {
        room.answered(result, durationMs);
        expect(room.attempts).toBeGreaterThanOrEqual(1);
        expect(room.attempts).toBeLessThanOrEqual(64);
        // Whoever is kept behind the others holds no more than it began with.
        if (room.standing === "failing") expect(room.attempts).toBe(8);
      }
    }),
  );
});
