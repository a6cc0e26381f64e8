import { describe, expect, it } from "vitest";
import { findChanges, toRecorded } from "../src/audit/field-changes.ts";

describe("the changed fields of a row", () => {
  it("have their old and new values, those of limits and plans each by its name", () => {
    const before = { name: "One", demo: false, plan: { name: "free", crm: false }, created_at: 1 };
    const after = { ...before, demo: true, plan: { name: "pro", crm: false }, limits: { webhooks: 5 } };
    expect(findChanges(before, after)).toEqual([
      { field: "demo", old: "false", new: "true" },
      { field: "plan.name", old: "free", new: "pro" },
      { field: "limits.webhooks", old: null, new: "5" },
    ]);
    expect(findChanges(after, before).at(-1)).toEqual({ field: "limits.webhooks", old: "5", new: null });
  });

  it("have no values if they are not known to be harmless", () => {
    const changes = findChanges({ token: "old" }, { token: "new", headers: ["a"] });
    expect(changes).toEqual([{ field: "token" }, { field: "headers" }]);
    expect(toRecorded(changes)).toEqual({ changed: ["token", "headers"] });
  });

  it("have URLs without their secrets, and lists as one text", () => {
    const before = { target_url: "https://example.com/a?token=hush", events: ["*"] };
    const after = {
      target_url: "https://hooks.slack.com/services/T1/B1/hush4567890123456",
      events: ["order.created", "order.paid"],
    };
    expect(findChanges(before, after)).toEqual([
      {
        field: "target_url",
        old: "https://example.com/a?…",
        new: "https://hooks.slack.com/services/T1/B1/hush…",
      },
      { field: "events", old: "*", new: "order.created, order.paid" },
    ]);
  });

  it("are bounded: 20 values of 500 characters, which never end in half a character", () => {
    const long = `${"x".repeat(498)}\u{1F600}y`;
    const [change] = findChanges({ name: "" }, { name: long });
    expect(change?.new).toHaveLength(500);
    expect(change?.new?.isWellFormed()).toBe(true);
    const plan = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`part_${index}`, index]));
    const { changed, values } = toRecorded(findChanges({}, { plan }));
    expect([changed, values?.length]).toEqual([["plan"], 20]);
  });
});
