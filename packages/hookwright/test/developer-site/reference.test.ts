import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser, openBrowser, openPage } from "../support/open-browser.ts";
import { openConsole } from "../support/open-console.ts";
import { openSite } from "../support/open-site.ts";

describe.runIf(hasBrowser)("the interactive reference", { timeout: 120_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it.each(["", "/integrations"])(
    "shows every operation, sends a test request with a key, and contacts no other origin, at %j",
    async (mount) => {
      await using world = await openConsole();
      const { api_key: key } = await world.hookwright.apiKeys.create("acc_1", { name: "Reader" });
      await using site = await openSite(world.hookwright, { mount });
      await using opened = await openPage(browser, site.origin);
      const { page, complaints } = opened;
      await page.goto(`${site.origin}${mount}/reference`);
      await page.getByRole("heading", { name: "Integration API" }).waitFor();
      for (const name of ["Webhooks", "Contacts", "Orders"])
        await page.getByText(name, { exact: true }).first().waitFor();
      await page.getByPlaceholder("Token").first().fill(key);
      await page
        .getByRole("button", { name: /^Test Request/u })
        .first()
        .click();
      const answered = page.waitForResponse((response) => response.url() === `${site.origin}${mount}/v1/me`);
      await page.getByRole("button", { name: /^Send/u }).first().click();
      expect((await answered).status()).toBe(200);
      expect(complaints).toEqual([]);
    },
  );

  it("links to the console in a new tab, and to no other site", async () => {
    await using world = await openConsole();
    await using site = await openSite(world.hookwright);
    await using opened = await openPage(browser, site.origin);
    const { page } = opened;
    await page.goto(`${site.origin}/reference`);
    await page.getByRole("heading", { name: "Integration API" }).waitFor();
    await page.getByText("OpenAPI document", { exact: true }).first().waitFor();
    await expect.poll(() => page.getByRole("link", { name: "Hookwright" }).count()).toBe(0);
    const [console] = await Promise.all([
      page.waitForEvent("popup"),
      page.getByRole("link", { name: "Developer console" }).click(),
    ]);
    await console.getByRole("button", { name: "Sign in" }).waitFor();
    expect(console.url()).toBe(`${site.origin}/console`);
    await expect.poll(() => console.evaluate(() => opener)).toBe(null);
  });

  it("shows the key description without overlap on a phone", async () => {
    await using world = await openConsole();
    await using site = await openSite(world.hookwright);
    await using opened = await openPage(browser, site.origin);
    const { page } = opened;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${site.origin}/reference`);
    const required = page.getByTestId("auth-indicator").first();
    await required.waitFor();
    const chosen = page.getByRole("button", { name: /^Selected Auth Type/u }).first();
    const [first, second] = await Promise.all([required.boundingBox(), chosen.boundingBox()]);
    expect(second?.y).toBeGreaterThan((first?.y ?? Infinity) + (first?.height ?? 0) / 2);
    await expect
      .poll(() => required.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
      .toBe(0);
  });
});
