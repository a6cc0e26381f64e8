import { expect, it } from "vitest";
import { adviseOn, explainAttempt } from "../site/console/parts/explain-attempt.ts";

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

it("an attempt is explained by what came of it, and by the advice", () => {
  const summary = "Your endpoint took 12 ms and answered 405.";
  expect(explainAttempt({ summary, error: "status", status: 405 })).toBe(
    `${summary} – The route does not accept POST.`,
  );
  expect(explainAttempt({ summary, error: null, status: 204 })).toBe(summary);
});
