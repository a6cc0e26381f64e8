import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTextPlaces } from "../src/redis/text-places.ts";

describe("the places of texts", () => {
  it("are those of their first coming, whatever they are and whatever the seed", () => {
    const texts = fc.array(fc.oneof(fc.nat({ max: 200 }).map(String), fc.string({ unit: "binary" })), {
      maxLength: 500,
      size: "max",
    });
    fc.assert(
      fc.property(texts, fc.integer(), (asked, seed) => {
        const places = createTextPlaces(seed);
        const model: string[] = [];
        for (const text of asked) {
          if (!model.includes(text)) model.push(text);
          expect(places.placeOf(text)).toBe(model.indexOf(text));
        }
        expect(places.texts).toEqual(model);
      }),
    );
  });
});
