import { describe, expect, it } from "vitest";
import { createNewRecordGuess } from "../src/publishing/new-record-guess.ts";

const event = "order.created";

function sawMany(guess: ReturnType<typeof createNewRecordGuess>, count: number): void {
  for (let one = 0; one < count; one++) guess.saw(event, true);
}

describe("the records of an event", () => {
  it("are taken for new after 256 new ones, independently of other events", () => {
    const guess = createNewRecordGuess();
    sawMany(guess, 255);
    expect(guess.mayBeNew(event)).toBe(false);
    sawMany(guess, 1);
    expect(guess.mayBeNew(event)).toBe(true);
    expect(guess.mayBeNew("order.paid")).toBe(false);
  });

  it("are read again after the first one that existed", () => {
    const guess = createNewRecordGuess();
    sawMany(guess, 255);
    guess.saw(event, false);
    sawMany(guess, 255);
    expect(guess.mayBeNew(event)).toBe(false);
    sawMany(guess, 1);
    expect(guess.mayBeNew(event)).toBe(true);
  });

  it("need twice as many new ones after each wrong guess, up to a limit", () => {
    const guess = createNewRecordGuess();
    sawMany(guess, 256);
    for (const wanted of [512, 1_024]) {
      guess.wasWrong(event);
      sawMany(guess, wanted - 1);
      expect(guess.mayBeNew(event)).toBe(false);
      sawMany(guess, 1);
      expect(guess.mayBeNew(event)).toBe(true);
    }
    for (let time = 0; time < 20; time++) {
      guess.wasWrong(event);
      sawMany(guess, 65_536);
    }
    expect(guess.mayBeNew(event)).toBe(true);
  });

  it("double the threshold once if concurrent commits fail together", () => {
    const guess = createNewRecordGuess();
    sawMany(guess, 256);
    for (let commit = 0; commit < 24; commit++) guess.wasWrong(event);
    sawMany(guess, 511);
    expect(guess.mayBeNew(event)).toBe(false);
    sawMany(guess, 1);
    expect(guess.mayBeNew(event)).toBe(true);
  });

  it("halve the threshold again after many right guesses", () => {
    const guess = createNewRecordGuess();
    sawMany(guess, 256);
    guess.wasWrong(event);
    sawMany(guess, 4 * 512);
    guess.saw(event, false);
    sawMany(guess, 255);
    expect(guess.mayBeNew(event)).toBe(false);
    sawMany(guess, 1);
    expect(guess.mayBeNew(event)).toBe(true);
  });
});
