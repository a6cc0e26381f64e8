import { describe, expect, it } from "vitest";
import { fillLists } from "../support/measure-console.ts";
import { hasBrowser, intercept } from "../support/open-browser.ts";
import { prepareVisits } from "../support/visit-console.ts";

describe.runIf(hasBrowser)("a failed request in the console", { timeout: 120_000 }, () => {
  const visit = prepareVisits();

  it("leaves the rest of the screen, and is tried again alone", async () => {
    await using visited = await visit();
    const { page, open } = visited;
    const { id } = await fillLists(visited);
    await open("listen");
    const heading = (name: string) => page.getByRole("heading", { name, exact: true });
    const cases = [
      ["", /\/overview\?period=24h/u, page.getByRole("region", { name: "Issues" })],
      ["", /\/webhooks\?include=health/u, heading("Deliveries")],
      ["", /\/issues\?/u, heading("Deliveries")],
      ["", /\/deliveries\?kind=event/u, heading("Deliveries")],
      ["deliveries", /\/ledger\?/u, page.getByRole("row", { name: "rev_1" })],
      ["deliveries", /\/deliveries\?since/u, page.getByRole("slider", { name: /^Deliveries/u })],
      ["requests", /\/requests\/counts/u, page.getByRole("cell", { name: "404" })],
      [`webhooks/${id}`, /\/ledger\?/u, heading("Recovery")],
      ["settings", /\/account$/u, heading("Sessions")],
    ] as const;
    for (const [screen, url, rest] of cases) {
      await page.evaluate(() => location.assign("#/listen"));
      await heading("Listen").waitFor();
      const error = { code: "internal_error", message: "The server failed." };
      await intercept(page, url, (route) => route.fulfill({ status: 500, json: { success: false, error } }));
      await page.evaluate((next) => location.assign(`#/${next}`), screen);
      await rest.waitFor();
      if (url.source.includes("kind=event")) {
        // Only what it is for is missing: whether something has happened yet.
        expect([screen, await page.getByRole("alert").count()]).toEqual([screen, 0]);
        await page.unrouteAll();
        continue;
      }
      const note = page.getByRole("alert").first();
      await note.waitFor();
      await page.unrouteAll();
      await note.getByRole("button", { name: "Try again" }).click();
      await expect
        .poll(async () => [screen, url.source, await page.getByRole("alert").count()])
        .toEqual([screen, url.source, 0]);
    }
  });
});
