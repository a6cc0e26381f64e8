import { describe, expect, it } from "vitest";
import { defaultPlan, fitsLimit, mergePlan } from "../src/plan.ts";

describe("a plan", () => {
  it("of a new account includes everything, without limits", () => {
    expect(mergePlan(undefined, undefined)).toStrictEqual({
      name: "standard",
      integrations: true,
      crm: true,
      monthly_new_subscribers: null,
      blog_posts_per_site: null,
    });
  });

  it("keeps the fields that a change omits", () => {
    const plan = mergePlan(defaultPlan, { crm: false, monthly_new_subscribers: 0 });
    expect(plan).toStrictEqual({ ...defaultPlan, crm: false, monthly_new_subscribers: 0 });
    expect(mergePlan(plan, { name: "big" })).toStrictEqual({ ...plan, name: "big" });
    expect(mergePlan(plan, { monthly_new_subscribers: null }).monthly_new_subscribers).toBeNull();
  });

  it("allows additions up to its limit", () => {
    expect([fitsLimit(null, 1e9), fitsLimit(2, 1), fitsLimit(2, 2), fitsLimit(0, 0)]).toStrictEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
