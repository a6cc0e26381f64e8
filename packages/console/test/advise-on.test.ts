import { expect, it } from "vitest";
import { adviseOn } from "../site/console/parts/advise-on.ts";

it("each usual status has a piece of advice of its own, and others have none", () => {
  const advise = (status: number) => adviseOn({ error: "status", status });
  const hints = [302, 401, 403, 404, 405, 413, 429, 500].map(advise);
  expect(hints).not.toContain(undefined);
  expect(new Set(hints).size).toBe(hints.length);
  expect([advise(405), advise(503), advise(418)]).toEqual([
    "The route does not accept POST.",
    advise(500),
    undefined,
  ]);
});
