import type { Attention } from "@hookwright/domain";
import { expect, it } from "vitest";
import { isFailing } from "../site/console/state/attention.tsx";

const alert: Attention = {
  kind: "webhook_failing",
  webhook_id: "wh_1",
  message: "",
  since: null,
  last_answer: null,
  is_known: false,
  snoozed_until: null,
};

it("an active webhook is failing after six failures in a row, or if the overview says so", () => {
  const judge = (consecutive_failures: number, attention: readonly Attention[] = []) =>
    isFailing({ id: "wh_1", status: "active", consecutive_failures }, attention);
  expect([judge(5), judge(6), judge(0, [alert])]).toEqual([false, true, true]);
  expect(isFailing({ id: "wh_2", status: "active", consecutive_failures: 0 }, [alert])).toBe(false);
  expect(isFailing({ id: "wh_1", status: "paused", consecutive_failures: 9 }, [alert])).toBe(false);
});
