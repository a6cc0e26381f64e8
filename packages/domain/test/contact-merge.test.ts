import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blankFields, fillsAny, mergeContact, type ContactFields } from "../src/contact-merge.ts";

const ada: ContactFields = { name: "Ada", phone: null, notes: "Old", tags: ["vip", "VIP"] };

const blankable = fc.option(fc.constantFrom("", " ", "Ada", "Grace"), { nil: null });
const stored = fc.option(fc.constantFrom("Ada", "Grace"), { nil: null });
const tags = fc.array(fc.constantFrom("a", " a ", "b", "B", "", "  "), { maxLength: 6 });
const contacts = fc.record({
  name: stored,
  phone: stored,
  notes: stored,
  tags: fc.uniqueArray(fc.constantFrom("a", "b", "c")),
});
const inputs = fc.record({ name: blankable, phone: blankable, notes: blankable, tags }, { requiredKeys: [] });
const modes = fc.constantFrom("write" as const, "record" as const);

describe("a write", () => {
  it("replaces text and keeps fields that were omitted or sent empty", () => {
    expect(mergeContact(ada, { name: "Grace", phone: " ", notes: null }, "write")).toStrictEqual({
      ...ada,
      name: "Grace",
    });
  });

  it("adds tags in order of first appearance, trimmed, without blanks or duplicates, keeping case", () => {
    expect(mergeContact(ada, { tags: [" new ", "vip", "", "new", "Vip"] }, "write").tags).toStrictEqual([
      "vip",
      "VIP",
      "new",
      "Vip",
    ]);
  });

  it("creates a contact if there is none", () => {
    expect(mergeContact(undefined, { name: "Ada", tags: ["a", "a"] }, "write")).toStrictEqual({
      name: "Ada",
      phone: null,
      notes: null,
      tags: ["a"],
    });
  });

  it("rejects more than 1,000 tags in total", () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `tag ${index}`);
    const full = mergeContact(undefined, { tags: many }, "write");
    expect(full.tags).toHaveLength(1_000);
    expect(mergeContact(full, { tags: ["tag 1"] }, "write")).toBe(full);
    expect(() => mergeContact(full, { tags: ["one more"] }, "write")).toThrow(/^tags: must not exceed 1000/);
  });
});

describe("a record", () => {
  it("fills blank fields and never overwrites set ones", () => {
    expect(mergeContact(ada, { name: "Grace", phone: "+44 1" }, "record")).toStrictEqual({
      ...ada,
      phone: "+44 1",
    });
  });
});

describe("every merge", () => {
  it("returns the same object if nothing changes", () => {
    fc.assert(
      fc.property(fc.option(contacts, { nil: undefined }), inputs, modes, (existing, input, mode) => {
        const once = mergeContact(existing, input, mode);
        expect(mergeContact(once, input, mode)).toBe(once);
      }),
    );
  });

  it("never removes a tag or blanks a text", () => {
    fc.assert(
      fc.property(contacts, inputs, modes, (existing, input, mode) => {
        const merged = mergeContact(existing, input, mode);
        expect(merged.tags.slice(0, existing.tags.length)).toStrictEqual(existing.tags);
        expect(new Set(merged.tags).size).toBe(merged.tags.length);
        const set = (["name", "phone", "notes"] as const).filter((field) => existing[field] !== null);
        for (const field of set) {
          expect(merged[field]?.trim()).toBeTruthy();
          expect([existing[field], mode === "write" ? input[field] : existing[field]]).toContain(
            merged[field],
          );
        }
      }),
    );
  });

  it("of a record changes a contact only if it fills a blank field", () => {
    fc.assert(
      fc.property(contacts, inputs, (existing, { name, phone }) => {
        const isChanged = mergeContact(existing, { name, phone }, "record") !== existing;
        expect(isChanged).toBe(fillsAny(blankFields(existing), { name, phone }));
      }),
    );
  });

  it("does not change its arguments", () => {
    const frozen = Object.freeze({ ...ada, tags: Object.freeze([...ada.tags]) });
    expect(mergeContact(frozen, { name: "Grace", tags: ["new"] }, "write")).not.toBe(frozen);
    expect(frozen).toStrictEqual(ada);
  });
});
