import { expect, it } from "vitest";
import { explainAttempt } from "../site/console/parts/explain-attempt.ts";

it("an attempt is explained by its detail and a hint for its status", () => {
  const explain = (status: number): string =>
    explainAttempt({ error: "status", status, detail: `The endpoint answered ${status}.` });
  const hints = [302, 401, 403, 404, 405, 413, 429, 500, 503].map((status) => {
    const [, hint = ""] = /^The endpoint answered \d{3}\. (.+\.)$/u.exec(explain(status)) ?? [];
    return [status, hint] as const;
  });
  for (const [status, hint] of hints) expect([status, hint]).not.toEqual([status, ""]);
  expect(new Map(hints).get(405)).toBe("The route does not accept POST.");
  expect(new Set(hints.map(([, hint]) => hint)).size).toBe(hints.length - 1);
  expect(explain(418)).toBe("The endpoint answered 418.");
});

it("a failed lookup is explained by each piece of advice once", () => {
  const details = [null, "The name hooks.example.com has no address. Check its DNS records."];
  for (const detail of details) {
    const text = explainAttempt({ error: "dns", status: null, detail });
    expect(text).toMatch(/ Check its DNS records\. Also check the name for typing errors\.$/u);
    expect(text.match(/DNS/gu)).toHaveLength(1);
  }
});

it("an attempt without a detail is explained by its error", () => {
  const explain = (error: Parameters<typeof explainAttempt>[0]["error"]): string =>
    explainAttempt({ error, status: null, detail: null });
  expect(explain(null)).toBe("Accepted.");
  expect(explain("timeout")).toBe(
    "No complete response arrived within the time limit. Send the response first, then process the delivery.",
  );
  for (const error of ["dns", "blocked_address", "connect", "tls", "reset", "protocol", "status"] as const)
    expect(explain(error)).toMatch(/^The? .+\.$|^No .+\.$/u);
});
