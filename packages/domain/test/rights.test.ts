import { describe, expect, it } from "vitest";
import { hasRight, isChange, keyRights, rights, rightsOfRole, roles } from "../src/rights.ts";

describe("a right", () => {
  it("is enough if it is the needed one, or one of several", () => {
    expect(hasRight(["read"], "read")).toBe(true);
    expect(hasRight(["webhooks"], ["read", "webhooks"])).toBe(true);
    expect(hasRight(["webhooks", "write"], "read")).toBe(false);
    expect(hasRight([], "any")).toBe(true);
    expect(hasRight([...rights], [])).toBe(false);
  });

  it("changes something unless reading is enough", () => {
    expect(rights.filter((right) => !isChange(right))).toEqual(["read"]);
    expect([isChange("any"), isChange(["read", "webhooks"]), isChange([])]).toEqual([false, false, true]);
  });
});

describe("a role", () => {
  it("has the rights of the role below it", () => {
    for (const [index, role] of roles.entries())
      for (const right of index === 0 ? [] : rightsOfRole[roles[index - 1] ?? role])
        expect(hasRight(rightsOfRole[role], right)).toBe(true);
    expect(rightsOfRole.owner).toEqual(rights);
    expect(keyRights.every((right) => hasRight(rightsOfRole.developer, right))).toBe(true);
  });
});
