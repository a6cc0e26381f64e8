import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { choiceSetting, decimalSetting, switchSetting, wholeNumberSetting } from "../src/settings/setting.ts";
import type { Setting } from "../src/settings/setting.ts";
import { settingNames, settings } from "../src/settings/settings.ts";

const range = { description: "", minimum: 1, maximum: 100, fallback: 5 };
const whole = wholeNumberSetting(range);
const decimal = decimalSetting({ ...range, minimum: 0.5 });

describe("a setting", () => {
  it.each<[kind: string, setting: Setting<unknown>, good: [string, unknown][], bad: string[]]>([
    [
      "whole number",
      whole,
      [
        ["1", 1],
        ["100", 100],
      ],
      ["0", "101", "1.5", "-5", "0x50", "1e1", "Infinity", ""],
    ],
    [
      "number",
      decimal,
      [
        ["0.5", 0.5],
        [".5", 0.5],
        ["100", 100],
      ],
      ["0.49", "100.1", "ten", "1e1", "NaN", "10s"],
    ],
    [
      "switch",
      switchSetting(""),
      [
        ["on", true],
        ["off", false],
      ],
      ["true", "1", "yes", "ON"],
    ],
    [
      "choice",
      choiceSetting("", ["one", "two"]),
      [
        ["one", "one"],
        ["two", "two"],
      ],
      ["ONE", "three"],
    ],
    [
      "list of delays",
      settings.retryDelaysSeconds,
      [
        ["15,60", [15, 60]],
        ["0.05", [0.05]],
        [".1, 1.5 ,86400", [0.1, 1.5, 86_400]],
      ],
      ["0.04", "86401", "1,,2", "1;2", "-1", "1,abc", ",", Array.from({ length: 101 }, () => "1").join(",")],
    ],
    [
      "choice of events",
      settings.builtInEvents,
      [
        ["on", true],
        ["off", false],
        ["order.created, review.submitted", ["order.created", "review.submitted"]],
      ],
      ["true", "order.create", "order.created,", "order.*", "*"],
    ],
  ])("that is a %s has a text for each valid value, and for no other", (_, setting, good, bad) => {
    for (const [text, value] of good) {
      expect([text, setting.parse(text)]).toEqual([text, value]);
      expect([text, setting.isValid(value)]).toEqual([text, true]);
      // Programs pass values, not texts.
      if (typeof value !== "string") expect([text, setting.isValid(text)]).toEqual([text, false]);
    }
    for (const text of bad) expect([text, setting.parse(text)]).toEqual([text, undefined]);
    for (const value of [null, undefined, {}, Number.NaN, [Number.NaN], [15, "60"]])
      expect([value, setting.isValid(value)]).toEqual([value, false]);
  });

  it("that is a whole number accepts only whole numbers in its range", () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.integer({ min: -5, max: 110 }), fc.double()), (number) => {
        const valid = Number.isInteger(number) && number >= 1 && number <= 100;
        expect([whole.isValid(number), whole.parse(String(number))]).toEqual([
          valid,
          valid ? number : undefined,
        ]);
      }),
    );
  });

  it("has a valid default, and describes what it allows", () => {
    for (const name of settingNames)
      expect([name, settings[name].isValid(settings[name].fallback)]).toEqual([name, true]);
    const described = settingNames.map(
      (name) => `${name}: ${settings[name].allowed}; ${String(settings[name].fallback)}`,
    );
    expect(described).toMatchInlineSnapshot(`
      [
        "role: all, api or worker; all",
        "retryDelaysSeconds: a list of at most 100 numbers from 0.05 to 86400; 15,60,240,540,900",
        "attemptTimeoutSeconds: a number of seconds from 0.1 to 60; 10",
        "endpointBackoffSeconds: a number of seconds from 0 to 86400; 180",
        "switchOffAfter: a whole number from 1 to 1000, or off; 30",
        "obeyRetryAfter: true or false; false",
        "standardWebhooks: true or false; false",
        "headerPrefix: 1 to 40 letters, digits and hyphens, such as X-Acme, with no hyphen at its ends, and must not begin with a word of other headers, such as webhook, proxy or content; X-Service",
        "bodyForm: hookwright or standard; hookwright",
        "builtInEvents: true, false, or a list of events of the specification, such as order.created; true",
        "trustProxy: a whole number from 0 to 100; 0",
        "privateTargets: true or false; false",
        "rateLimitPerMinute: a whole number from 1 to 1000000000; 200",
        "consoleRateLimitPerMinute: a whole number from 1 to 1000000000; 600",
        "sendsPerMinute: a whole number from 1 to 1000000000; 60",
        "consoleTokenSeconds: a whole number of seconds from 1 to 31536000; 3600",
        "retentionDays: a number of days from 0.042 (an hour) to 3650; 30",
        "auditRetentionDays: a number of days from 1 to 3650; 90",
        "deliveryLogMiB: a whole number of MiB from 1 to 1048576; 256",
        "deliveriesKept: a whole number from 1 to 1000000000; 1000000",
        "requestsKept: a whole number from 1 to 1000000000; 10000",
        "keepBodies: all, until_accepted or none; all",
        "bodyLimitBytes: a whole number of bytes from 1 to 536870912; 1048576",
        "metrics: token or public; token",
        "adminListener: true or false; false",
        "operatorConsole: true or false; false",
        "accessLog: true or false; false",
        "attemptLog: true or false; false",
      ]
    `);
  });
});
