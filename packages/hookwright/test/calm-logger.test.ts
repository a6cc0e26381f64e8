import { randomUUID } from "node:crypto";
import { expect, it, vi } from "vitest";
import { createCalmLogger } from "../src/calm-logger.ts";
import type { Logger } from "../src/logger.ts";

const start = 60_000;

function createCase() {
  const lines: (readonly [string, Readonly<Record<string, unknown>> | undefined])[] = [];
  const add: Logger["info"] = (message, fields) => void lines.push([message, fields]);
  const clock = { now: start };
  const logger = createCalmLogger({
    logger: { info: add, warn: add, error: add },
    now: () => clock.now,
  });
  return { lines, clock, logger };
}

it("of a thousand like faults five are written, and the next one later tells how many were not", () => {
  const { lines, clock, logger } = createCase();
  for (let count = 0; count < 1_000; count++) {
    logger.error(`GET /v1/orders/${count} failed`, { error: "Redis is away\n  at line 1" });
  }
  expect(lines.length).toBe(5);
  clock.now = start + 10_000;
  logger.error("fault", { error: "Redis is away\n  at line 1" });
  expect(lines.at(-1)).toEqual(["fault", { error: "Redis is away\n  at line 1", suppressed: 995 }]);
});

it("a fault of another kind is written all the same, and mails are never left out", () => {
  const { lines, logger } = createCase();
  for (let count = 0; count < 50; count++) logger.error("fault", { error: "one" });
  logger.error("fault", { error: "another" });
  for (let count = 0; count < 50; count++) logger.info("mail", { to: "one@example.com" });
  expect(lines.filter(([message]) => message === "mail").length).toBe(50);
  expect(lines.some(([, fields]) => fields?.["error"] === "another")).toBe(true);
});

it("faults that differ in nothing but ids are alike, whatever letters those have", () => {
  const { lines, logger } = createCase();
  for (let count = 0; count < 1_000; count++)
    logger.error("fault", { error: `orders.list answered at ["${randomUUID()}"] what must not go out` });
  expect(lines.length).toBe(5);
});

it("of more kinds than can be told apart as many are written as of one, until some have ended", () => {
  const { lines, clock, logger } = createCase();
  const nameOf = (count: number): string => String.fromCodePoint(0x4e00 + count);
  const flood = (first: number): void => {
    for (let round = 0; round < 10; round++)
      for (let count = 0; count < 1_000; count++) logger.error("fault", { error: nameOf(first + count) });
  };
  flood(0);
  expect(lines.length).toBe(200 * 5 + 5);
  clock.now = start + 5_000;
  logger.error("fault", { error: nameOf(0) });
  expect(lines.length).toBe(200 * 5 + 5);
  clock.now = start + 10_000;
  logger.error("fault", { error: nameOf(2_000) });
  expect(lines.at(-1)).toEqual(["fault", { error: nameOf(2_000) }]);
  lines.length = 0;
  flood(2_001);
  expect(lines.length).toBe(199 * 5 + 5);
  expect(lines[199]).toEqual(["fault", { error: nameOf(2_001 + 199), suppressed: 10 * 800 - 5 }]);
});

it("a line without fields is written without an argument for them", () => {
  const warned = vi.fn<Logger["warn"]>();
  const logger = createCalmLogger({
    logger: { info: warned, warn: warned, error: warned },
    now: () => 0,
  });
  logger.warn("an option that there is not");
  expect(warned.mock.calls).toEqual([["an option that there is not"]]);
});

it("a logger that throws takes nobody along, and is told of where somebody may look", () => {
  const told = vi.spyOn(console, "error").mockReturnValue();
  const fail = (): never => {
    throw new Error("the disk is full");
  };
  const logger = createCalmLogger({ logger: { info: fail, warn: fail, error: fail }, now: () => 0 });
  logger.info("mail");
  logger.error("fault", { error: "one" });
  expect(told.mock.calls).toEqual([
    ["the logger failed", { line: "mail", error: expect.stringContaining("the disk is full") }],
    ["the logger failed", { line: "fault", error: expect.stringContaining("the disk is full") }],
  ]);
  told.mockRestore();
});

it("nor does one that sends its lines away, and rejects", async () => {
  const told = vi.spyOn(console, "error").mockReturnValue();
  const fail = (): Promise<never> => Promise.reject(new Error("the log server is away"));
  const logger = createCalmLogger({ logger: { info: fail, warn: fail, error: fail }, now: () => 0 });
  logger.error("fault", { error: "one" });
  await vi.waitFor(() =>
    expect(told.mock.calls).toEqual([
      ["the logger failed", { line: "fault", error: expect.stringContaining("the log server is away") }],
    ]),
  );
  told.mockRestore();
});
