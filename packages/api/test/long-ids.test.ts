import { describe, expect, it } from "vitest";
import { selectEndingRoutes } from "./support/ending-routes.ts";
import { toAnswered } from "./support/call.ts";
import { openFuzzed } from "./support/open-fuzzed.ts";

describe("an id in a path that is too long for a key of the store", () => {
  it("is an id that does not exist, on every route", async () => {
    const { api, prepare } = await openFuzzed();
    const routes = selectEndingRoutes(api.options).filter(({ path }) => path.includes("{"));
    const answers: string[] = [];
    for (const id of ["a".repeat(2_000), "é".repeat(3_000), "\u0000".repeat(1_500)]) {
      for (const { method, path: pattern, access } of routes) {
        const body = method === "GET" ? undefined : "{}";
        const { path, headers } = await prepare({
          access,
          method,
          path: pattern.replaceAll(/\{[^}]+\}/g, encodeURIComponent(id)),
          headers: { "content-type": "application/json" },
          body,
        });
        const request = new Request(`http://localhost${path}`, { method, headers, body: body ?? null });
        const { status } = await toAnswered(await api.fetch(request));
        if (status >= 500) answers.push(`${method} ${pattern}: ${status}`);
      }
    }
    expect(routes.length).toBeGreaterThan(30);
    expect(answers).toEqual([]);
  });
});
