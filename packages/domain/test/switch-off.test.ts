import { expect, it } from "vitest";
import { defaultDeliveryRules, toDeliveryRules } from "../src/resources/account-delivery.ts";
import { describeSwitchOff, formatLong, switchOffTimes } from "../src/switch-off.ts";

it("thirty failures in a row take more than half an hour", () => {
  const { busy, quiet } = switchOffTimes(defaultDeliveryRules) ?? { busy: 0, quiet: 0 };
  expect(busy).toBeGreaterThan(30 * 60);
  expect(quiet).toBeGreaterThan(2 * 3_600);
  expect(describeSwitchOff(defaultDeliveryRules)).toMatchInlineSnapshot(
    `"after 30 failed attempts in a row: about 30 minutes of failures if it is busy, about 2 h 36 min with one delivery after the other"`,
  );
});

it("an account has rules of its own, or those of the server", () => {
  const own = { switch_off_after: "off", retry_delays_seconds: null } as const;
  const rules = toDeliveryRules(own, defaultDeliveryRules);
  expect(rules).toEqual({ ...defaultDeliveryRules, switch_off_after: "off" });
  expect(describeSwitchOff(rules)).toBe("never: failures only space its attempts");
  expect(toDeliveryRules(undefined, defaultDeliveryRules)).toEqual(defaultDeliveryRules);
});

it("without a back-off, a busy webhook is switched off at once", () => {
  const rules = { ...defaultDeliveryRules, endpoint_backoff_seconds: 0 };
  expect(describeSwitchOff(rules)).toMatchInlineSnapshot(
    `"after 30 failed attempts in a row: less than a second of failures if it is busy, about 2 h 26 min with one delivery after the other"`,
  );
});

it.each([
  [0, "less than a second"],
  [1, "about 1 second"],
  [1_825, "about 30 minutes"],
  [8_900, "about 2 h 28 min"],
  [259_200, "about 3 days"],
])("%s s are %s", (seconds, text) => expect(formatLong(seconds)).toBe(text));
