import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createIdSource, hostIdSchema, idsSince, idTime, isHostId, isRecordId } from "../src/ids.ts";

const zeros = (size: number) => new Uint8Array(size);
const ones = (size: number) => new Uint8Array(size).fill(255);

function numbered() {
  let state = 1;
  return (size: number) =>
    Uint8Array.from({ length: size }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 24;
    });
}

describe("ids", () => {
  it("are a prefix and a UUID version 7 in lower-case hex", () => {
    const newId = createIdSource({ now: () => 1_763_630_000_000, randomBytes: numbered() });
    for (let count = 0; count < 2_000; count++) {
      expect(newId("wh")).toMatch(/^wh_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
    }
  });

  it("contain the millisecond of their creation", () => {
    const newId = createIdSource({ now: () => 1_763_630_123_456.7, randomBytes: numbered() });
    expect(idTime(newId("dlv"))).toBe(1_763_630_123_456);
  });

  it("sort after the bound of their time or an earlier one, and before later bounds", () => {
    const times = fc.integer({ min: 0, max: 2 ** 48 - 1 });
    fc.assert(
      fc.property(times, times, (made, bound) => {
        const id = createIdSource({ now: () => made, randomBytes: numbered() })("req");
        expect(id > idsSince("req", bound)).toBe(made >= bound);
      }),
    );
    expect(idsSince("req", 1_763_630_000_000)).toBe("req_019aa08a2780");
    expect([idsSince("req", -1), idsSince("req", 5.5)]).toEqual(["req_000000000000", "req_000000000006"]);
    expect(idsSince("req", Number.MAX_SAFE_INTEGER)).toBe("req_ffffffffffff");
  });

  it("always increase, also if the clock goes back", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 2, maxLength: 300 }), (clock) => {
        let tick = 0;
        const newId = createIdSource({
          now: () => 1_000_000 + (clock[tick++] ?? 0),
          randomBytes: numbered(),
        });
        const made = clock.map(() => newId("att"));
        expect(made).toStrictEqual([...new Set(made)].toSorted());
      }),
    );
  });

  it("increase within one millisecond even if all random bytes are equal", () => {
    for (const randomBytes of [zeros, ones]) {
      const newId = createIdSource({ now: () => 5, randomBytes });
      const made = Array.from({ length: 20_000 }, () => newId("req"));
      expect(made).toStrictEqual([...new Set(made)].toSorted());
    }
  });

  it("move ahead of a stopped clock if their counter overflows", () => {
    const newId = createIdSource({ now: () => 5, randomBytes: ones });
    const made = Array.from({ length: 300_000 }, () => newId("req"));
    expect(made.findIndex((id) => idTime(id) === 6)).toBe(2 ** 18 + 1);
    expect(idTime(made.at(-1) ?? "")).toBe(6);
    expect(made.every((id, index) => index === 0 || id > (made[index - 1] ?? ""))).toBe(true);
  });

  it("of two sources that share a clock differ", () => {
    const options = {
      now: () => 7,
      randomBytes: (size: number) => crypto.getRandomValues(new Uint8Array(size)),
    };
    const [one, other] = [createIdSource(options), createIdSource(options)];
    const made = new Set(Array.from({ length: 1_000 }, () => [one("ct"), other("ct")]).flat());
    expect(made.size).toBe(2_000);
  });

  it("require a valid clock and a random source of the requested length", () => {
    for (const time of [Number.NaN, -1, Number.POSITIVE_INFINITY, 2 ** 48]) {
      expect(() => createIdSource({ now: () => time, randomBytes: zeros })("wh")).toThrow(RangeError);
    }
    expect(() => createIdSource({ now: () => 1, randomBytes: () => new Uint8Array(3) })("wh")).toThrow(
      RangeError,
    );
  });

  it("of the host have no time", () => {
    expect(() => idTime("acc_main")).toThrow(expect.objectContaining({ code: "internal_error" }));
    expect(() => idTime("wh_019a9c3f5b2e4c41a0f39d1e6b7c8d21")).toThrow(
      expect.objectContaining({ code: "internal_error" }),
    );
  });
});

describe("ids of the host", () => {
  it.each(["a", "site_1", "A.b:c-d_9", "x".repeat(128)])("may be %s", (id) => {
    expect(isHostId(id)).toBe(true);
    expect(hostIdSchema.safeParse(id).success).toBe(true);
  });

  it.each(["", "a b", "é", "a/b", "a\n", "x".repeat(129)])("must not be %j", (id) => {
    expect(isHostId(id)).toBe(false);
  });

  it.each(["gid://shop/Order/1", "#1001", "заказ-№7", "🦄".repeat(128), "..", "x".repeat(128)])(
    "may be %s for a record",
    (id) => expect(isRecordId(id)).toBe(true),
  );

  it.each(["", "a b", "a\n", "\u00a0", "a\u200b", "\u0000", "\ud83d", "x".repeat(129)])(
    "must not be %j for a record",
    (id) => expect(isRecordId(id)).toBe(false),
  );
});
