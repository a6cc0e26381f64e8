import { describe, expect, it } from "vitest";
import { createLogger } from "../src/logger.ts";
import type { LoggerOptions } from "../src/logger.ts";

function logTo(lines: string[], options: Partial<LoggerOptions> = {}) {
  const now = (): number => Date.UTC(2026, 10, 20, 9, 30, 0, 5);
  return createLogger({
    form: "json",
    level: "info",
    colours: false,
    write: (line) => lines.push(line),
    now,
    secrets: [],
    ...options,
  });
}

describe("log lines", () => {
  it("in JSON form are one object each, with time, level and message first", () => {
    const lines: string[] = [];
    logTo(lines).warn("mail", { to: "a@example.com", text: "two\nlines" });
    expect(lines).toEqual([
      '{"time":"2026-11-20T09:30:00.005Z","level":"warn","msg":"mail","to":"a@example.com","text":"two\\nlines"}',
    ]);
  });

  it("in pretty form are short and stay on one line", () => {
    const lines: string[] = [];
    logTo(lines, { form: "pretty" }).info("listening", {
      url: "http://127.0.0.1:1",
      note: "a\nb",
      nothing: undefined,
    });
    expect(lines).toEqual(['09:30:00 info  listening url=http://127.0.0.1:1 note="a\\nb"']);
  });

  it.each([
    ["debug", ["debug", "info", "warn", "error"]],
    ["info", ["info", "warn", "error"]],
    ["warn", ["warn", "error"]],
    ["error", ["error"]],
  ] as const)("with the level %s are %j", (level, written) => {
    const lines: string[] = [];
    const logger = logTo(lines, { level });
    logger.debug?.("a");
    logger.info("a");
    logger.warn("a");
    logger.error("a");
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(written);
  });

  it.each(["json", "pretty"] as const)("cannot control the terminal (%s)", (form) => {
    const lines: string[] = [];
    const controls = "\u001B[2J\u009B2J\u007F\r\n";
    logTo(lines, { form }).warn(`mail${controls}`, {
      url: `https://example.com/${controls}`,
      name: "\u009B2J",
    });
    expect(lines.join()).not.toMatch(/\p{Cc}/u);
    expect(lines.join()).toContain(String.raw`https://example.com/\u001b[2J\u009b2J\u007f\r\n`);
  });

  it.each(["json", "pretty"] as const)(
    "never show a secret, even one that was logged by mistake (%s)",
    (form) => {
      const lines: string[] = [];
      const key = `hwk_${"a".repeat(43)}`;
      const logger = logTo(lines, { form, secrets: ["host-token-of-the-operator"] });
      logger.error(`failed with ${key}`, {
        token: "host-token-of-the-operator",
        secret: `whsec_${"b".repeat(43)}`,
        link: `hws_cccc.${"c".repeat(43)}`,
        prefix: "hwk_aaaa",
      });
      expect(lines.join()).not.toMatch(/a{43}|b{43}|c{43}|host-token/u);
      expect(lines.join()).toContain("hwk_aaaa");
    },
  );
});
