import { describe, expect, it } from "vitest";
import { hasBrowser } from "../support/open-browser.ts";
import { prepareVisits } from "../support/visit-console.ts";

describe.runIf(hasBrowser).each(["", "/integrations"])(
  "the interactive reference at %j",
  { timeout: 120_000 },
  (mount) => {
    const visit = prepareVisits({ mount });

    it("shows every operation, links to the console, fits a phone, and sends a request with a key", async () => {
      await using visited = await visit();
      const { page, world, address, complaints } = visited;
      const { api_key: key } = await world.hookwright.apiKeys.create(world.account, { name: "Reader" });
      await page.goto(new URL("reference", address).href);
      await page.getByRole("heading", { name: "Integration API" }).waitFor();
      for (const name of ["Webhooks", "Contacts", "Orders", "OpenAPI document"])
        await page.getByText(name, { exact: true }).first().waitFor();

      // In a new tab, and to no other site.
      await expect.poll(() => page.getByRole("link", { name: "Hookwright" }).count()).toBe(0);
      const link = page.getByRole("link", { name: "Developer console" });
      const [console] = await Promise.all([page.waitForEvent("popup"), link.click()]);
      await console.getByRole("button", { name: "Sign in" }).waitFor();
      expect(console.url()).toBe(address);
      await expect.poll(() => console.evaluate(() => opener)).toBe(null);
      await console.close();

      // The description of the key is below what it describes.
      await page.setViewportSize({ width: 390, height: 844 });
      const required = page.getByTestId("auth-indicator").first();
      const chosen = page.getByRole("button", { name: /^Selected Auth Type/u }).first();
      const topOf = async (): Promise<number | undefined> => (await chosen.boundingBox())?.y;
      await required.waitFor();
      const box = await required.boundingBox();
      await expect.poll(topOf).toBeGreaterThan((box?.y ?? Infinity) + (box?.height ?? 0) / 2);
      await expect
        .poll(() => required.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
        .toBe(0);

      await page.setViewportSize({ width: 1_280, height: 860 });
      await page.getByPlaceholder("Token").first().fill(key);
      await page
        .getByRole("button", { name: /^Test Request/u })
        .first()
        .click();
      const me = new URL("v1/me", address).href;
      const answered = page.waitForResponse((response) => response.url() === me);
      await page.getByRole("button", { name: /^Send/u }).first().click();
      expect((await answered).status()).toBe(200);
      expect(complaints).toEqual([]);
    });
  },
);
