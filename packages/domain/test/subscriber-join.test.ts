import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinSubscriber, type SubscriberFields } from "../src/subscriber-join.ts";

const gone: SubscriberFields = { name: "", status: "unsubscribed", tags: ["a"], list_ids: ["list_1"] };

describe("joining", () => {
  it("makes a new person active at once", () => {
    expect(joinSubscriber(undefined, { name: "Ada", tags: [" a ", ""], list_id: "list_1" })).toStrictEqual({
      name: "Ada",
      status: "active",
      tags: ["a"],
      list_ids: ["list_1"],
    });
    expect(joinSubscriber(undefined, {})).toStrictEqual({
      name: "",
      status: "active",
      tags: [],
      list_ids: [],
    });
  });

  it("keeps an unsubscribed person unsubscribed and adds lists and tags", () => {
    expect(joinSubscriber(gone, { tags: ["b"], list_id: "list_2" })).toStrictEqual({
      name: "",
      status: "unsubscribed",
      tags: ["a", "b"],
      list_ids: ["list_1", "list_2"],
    });
  });

  it("adds a tag to a record with duplicate tags", () => {
    const twice = { ...gone, tags: ["a", "a"] };
    expect(joinSubscriber(twice, { tags: ["b"] }).tags).toStrictEqual(["a", "b"]);
    expect(joinSubscriber(twice, { tags: ["a"] })).toBe(twice);
  });

  it("fills a blank name and keeps a set one", () => {
    expect(joinSubscriber(gone, { name: "Ada" }).name).toBe("Ada");
    expect(joinSubscriber({ ...gone, name: "Ada" }, { name: "Grace" }).name).toBe("Ada");
    expect(joinSubscriber({ ...gone, name: "Ada" }, { name: " " }).name).toBe("Ada");
  });

  it("returns the same object if nothing changes", () => {
    const input = fc.record(
      {
        name: fc.constantFrom("", " ", "Ada", null),
        tags: fc.array(fc.constantFrom("a", " a", "b", "")),
        list_id: fc.constantFrom("list_1", "list_2", null),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.constantFrom(undefined, gone), input, (existing, sent) => {
        const once = joinSubscriber(existing, sent);
        expect(joinSubscriber(once, sent)).toBe(once);
      }),
    );
  });
});
