import { randomUUID } from "node:crypto";
import { expect, it, vi } from "vitest";
import { createCalmLogger } from "../src/calm-logger.ts";
import type { Logger } from "@hookwright/domain";

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

const loggerFailed = "A log line could not be written because `logger` failed. Check the logger.";

const requestFailed = (path: string, error = "Redis is away") => ({ path, code: "request_failed", error });

it("writes five of a thousand lines with one code and error, and later says how many were left out", () => {
  const { lines, clock, logger } = createCase();
  for (let count = 0; count < 1_000; count++)
    logger.error("A request failed.", requestFailed(`/v1/orders/${count}`));
  expect(lines.length).toBe(5);
  clock.now = start + 10_000;
  logger.error("A request failed.", requestFailed("/v1/me"));
  expect(lines.at(-1)).toEqual(["A request failed.", { ...requestFailed("/v1/me"), suppressed: 995 }]);
});

it("writes a line with another code or another error all the same, and every mail", () => {
  const { lines, logger } = createCase();
  for (let count = 0; count < 50; count++) logger.error("A request failed.", requestFailed("/v1/me"));
  logger.error("A request failed.", requestFailed("/v1/me", "the disk is full"));
  logger.error("Leases were not renewed.", { code: "leases_not_renewed", error: "Redis is away" });
  for (let count = 0; count < 50; count++) logger.info("mail", { to: "one@example.com" });
  expect(lines.filter(([message]) => message === "mail").length).toBe(50);
  expect(lines.slice(5, 7).map(([, fields]) => fields?.["code"])).toEqual([
    "request_failed",
    "leases_not_renewed",
  ]);
});

it("takes errors that differ only in ids as alike, whatever letters the ids have", () => {
  const { lines, logger } = createCase();
  for (let count = 0; count < 1_000; count++)
    logger.error("A row was refused.", {
      code: "repository_row_refused",
      error: `orders.list answered at ["${randomUUID()}"] what must not go out`,
    });
  expect(lines.length).toBe(5);
});

it("writes as many lines of all further kinds together as of one, while it knows as many kinds as it can", () => {
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

it("a line without fields is written without an argument for them", () => {
  const warned = vi.fn<Logger["warn"]>();
  const logger = createCalmLogger({
    logger: { info: warned, warn: warned, error: warned },
    now: () => 0,
  });
  logger.warn("an option that there is not");
  expect(warned.mock.calls).toEqual([["an option that there is not"]]);
});

it("reports on the console that a logger throws, and goes on", () => {
  const told = vi.spyOn(console, "error").mockReturnValue();
  const fail = (): never => {
    throw new Error("the disk is full");
  };
  const logger = createCalmLogger({ logger: { info: fail, warn: fail, error: fail }, now: () => 0 });
  logger.info("mail");
  logger.error("An error happened.", { error: "one" });
  expect(told.mock.calls).toEqual([
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
  told.mockRestore();
});

it("reports on the console that an asynchronous logger rejects, and goes on", async () => {
  const told = vi.spyOn(console, "error").mockReturnValue();
  const fail = (): Promise<never> => Promise.reject(new Error("the log server is away"));
  const logger = createCalmLogger({ logger: { info: fail, warn: fail, error: fail }, now: () => 0 });
  logger.error("An error happened.", { error: "one" });
  await vi.waitFor(() =>
    expect(told.mock.calls).toEqual([
      [
        loggerFailed,
        expect.objectContaining({
          line: "An error happened.",
          code: "logger_failed",
          error: "the log server is away",
        }),
      ],
    ]),
  );
  told.mockRestore();
});
