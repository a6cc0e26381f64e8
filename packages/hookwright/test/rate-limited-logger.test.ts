import { randomUUID } from "node:crypto";
import { expect, it, vi } from "vitest";
import { createRateLimitedLogger } from "../src/log/rate-limited-logger.ts";
import type { Logger } from "@hookwright/domain";

const start = 60_000;

function createCase() {
  const lines: (readonly [string, Readonly<Record<string, unknown>> | undefined])[] = [];
  const add: Logger["info"] = (message, fields) => void lines.push([message, fields]);
  const clock = { now: start };
  const logger = createRateLimitedLogger({
    logger: { info: add, warn: add, error: add },
    now: () => clock.now,
  });
  return { lines, clock, logger };
}

const loggerFailed = "A log line could not be written because `logger` failed. Check the logger.";

const requestFailed = (path: string, error = "Redis is unavailable") => ({
  path,
  code: "request_failed",
  error,
});

it("writes five of 1,000 lines with the same code and error, and later the number of dropped lines", () => {
  const { lines, clock, logger } = createCase();
  for (let count = 0; count < 1_000; count++)
    logger.error("A request failed.", requestFailed(`/v1/orders/${count}`));
  expect(lines.length).toBe(5);
  clock.now = start + 10_000;
  logger.error("A request failed.", requestFailed("/v1/me"));
  expect(lines.at(-1)).toEqual(["A request failed.", { ...requestFailed("/v1/me"), suppressed: 995 }]);
});

it("writes lines with another code or another error, and every mail", () => {
  const { lines, logger } = createCase();
  for (let count = 0; count < 50; count++) logger.error("A request failed.", requestFailed("/v1/me"));
  logger.error("A request failed.", requestFailed("/v1/me", "the disk is full"));
  logger.error("Leases were not renewed.", { code: "leases_not_renewed", error: "Redis is unavailable" });
  for (let count = 0; count < 50; count++) logger.info("mail", { to: "one@example.com" });
  expect(lines.filter(([message]) => message === "mail").length).toBe(50);
  expect(lines.slice(5, 7).map(([, fields]) => fields?.["code"])).toEqual([
    "request_failed",
    "leases_not_renewed",
  ]);
});

it("counts errors that differ only in ids as one kind, whatever letters the ids have", () => {
  const { lines, logger } = createCase();
  for (let count = 0; count < 1_000; count++)
    logger.error("A row was refused.", {
      code: "repository_row_refused",
      error: `orders.list returned an invalid value at ["${randomUUID()}"]`,
    });
  expect(lines.length).toBe(5);
});

it("limits all further kinds together once it knows the maximum number of kinds", () => {
  const { lines, clock, logger } = createCase();
  const nameOf = (count: number): string => String.fromCodePoint(0x4e00 + count);
  const flood = (first: number): void => {
    for (let round = 0; round < 10; round++)
      for (let count = 0; count < 1_000; count++)
        logger.error("An error happened.", { error: nameOf(first + count) });
  };
  flood(0);
  expect(lines.length).toBe(200 * 5 + 5);
  clock.now = start + 5_000;
  logger.error("An error happened.", { error: nameOf(0) });
  expect(lines.length).toBe(200 * 5 + 5);
  clock.now = start + 10_000;
  logger.error("An error happened.", { error: nameOf(2_000) });
  expect(lines.at(-1)).toEqual(["An error happened.", { error: nameOf(2_000) }]);
  lines.length = 0;
  flood(2_001);
  expect(lines.length).toBe(199 * 5 + 5);
  expect(lines[199]).toEqual([
    "An error happened.",
    { error: nameOf(2_001 + 199), suppressed: 10 * 800 - 5 },
  ]);
});

it("a line without fields is written without a second argument", () => {
  const warned = vi.fn<Logger["warn"]>();
  const logger = createRateLimitedLogger({
    logger: { info: warned, warn: warned, error: warned },
    now: () => 0,
  });
  logger.warn("an option that there is not");
  expect(warned.mock.calls).toEqual([["an option that there is not"]]);
});

it("reports a logger that throws on the console and continues", () => {
  const reported = vi.spyOn(console, "error").mockReturnValue();
  const fail = (): never => {
    throw new Error("the disk is full");
  };
  const logger = createRateLimitedLogger({ logger: { info: fail, warn: fail, error: fail }, now: () => 0 });
  logger.info("mail");
  logger.error("An error happened.", { error: "one" });
  expect(reported.mock.calls).toEqual([
    [
      loggerFailed,
      expect.objectContaining({ line: "mail", code: "logger_failed", error: "the disk is full" }),
    ],
    [
      loggerFailed,
      expect.objectContaining({
        line: "An error happened.",
        code: "logger_failed",
        error: "the disk is full",
      }),
    ],
  ]);
  reported.mockRestore();
});

it("reports a logger that rejects on the console and continues", async () => {
  const reported = vi.spyOn(console, "error").mockReturnValue();
  const fail = (): Promise<never> => Promise.reject(new Error("the log server is unavailable"));
  const logger = createRateLimitedLogger({ logger: { info: fail, warn: fail, error: fail }, now: () => 0 });
  logger.error("An error happened.", { error: "one" });
  await expect
    .poll(() => reported.mock.calls)
    .toEqual([
      [
        loggerFailed,
        expect.objectContaining({
          line: "An error happened.",
          code: "logger_failed",
          error: "the log server is unavailable",
        }),
      ],
    ]);
  reported.mockRestore();
});
