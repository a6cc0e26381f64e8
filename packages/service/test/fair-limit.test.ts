import { describe, expect, it } from "vitest";
import { createFairLimit } from "../src/limits/fair-limit.ts";
import type { FairLimitOptions, LimitedUse } from "../src/limits/fair-limit.ts";

type Holders = LimitedUse["holders"];

/** A limit whose uses are named by their holders, and the names of those that still run, in order. */
function openLimit(options: FairLimitOptions) {
  const limit = createFairLimit(options);
  const running: string[] = [];
  const add = (...holders: Holders): boolean => {
    const name = holders.join(" ");
    const isAdded = limit.add({ holders, end: () => void running.splice(running.indexOf(name), 1) });
    if (isAdded) running.push(name);
    return isAdded;
  };
  const addMany = (count: number, ...holders: Holders): boolean[] =>
    Array.from({ length: count }, () => add(...holders));
  return { limit, running, add, addMany };
}

const count = (names: readonly string[], start: string): number =>
  names.filter((name) => name.startsWith(start)).length;

describe("at a fair limit", () => {
  it("the account with the most loses its oldest, and a newcomer that holds less is never refused", () => {
    const { add, addMany, running, limit } = openLimit({ maximum: 10 });
    addMany(7, "attacker");
    addMany(3, "shop");
    for (let round = 1; round <= 2; round++) expect(add("baker")).toBe(true);
    expect(addMany(2, "shop")).toEqual([true, false]);
    expect(["attacker", "shop", "baker"].map((name) => count(running, name))).toEqual([4, 4, 2]);
    expect(limit.size).toBe(10);
  });

  it("an account that itself has the most is refused", () => {
    const { add, addMany, running } = openLimit({ maximum: 4 });
    addMany(3, "attacker");
    add("shop");
    expect(add("attacker")).toBe(false);
    expect(running).toHaveLength(4);
  });

  it("of accounts with equally many, one of the largest network loses", () => {
    const { add, running } = openLimit({ maximum: 6 });
    add("shop", "192.0.2.1");
    for (let account = 1; account <= 5; account++) add(`attacker${account}`, "198.51.100.1");
    for (let account = 6; account <= 20; account++)
      expect(add(`attacker${account}`, "198.51.100.1")).toBe(true);
    expect(add("baker", "192.0.2.2")).toBe(true);
    expect(running).toEqual(expect.arrayContaining(["shop 192.0.2.1", "baker 192.0.2.2"]));
  });

  it("the keys of an account share the limit of the account in the same way", () => {
    const { addMany, running } = openLimit({ maximum: 100, maximumOfAccount: 4 });
    addMany(5, "shop", "192.0.2.1", "key 1");
    expect(addMany(3, "shop", "192.0.2.1", "key 2")).toEqual([true, true, false]);
    expect(["shop 192.0.2.1 key 1", "shop 192.0.2.1 key 2"].map((name) => count(running, name))).toEqual([
      2, 2,
    ]);
  });

  it("a use that has ended leaves its place", () => {
    const { limit, add } = openLimit({ maximum: 1 });
    const use: LimitedUse = { holders: ["shop"], end: () => {} };
    limit.add(use);
    expect(add("shop")).toBe(false);
    limit.remove(use);
    expect(add("shop")).toBe(true);
  });
});
