import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser, openBrowser, openPage } from "../support/open-browser.ts";
import { openConsole } from "../support/open-console.ts";
import { openSite } from "../support/open-site.ts";

describe.runIf(hasBrowser)("the interactive reference", { timeout: 60_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it.each(["", "/integrations"])(
    "shows every operation, tries one with a key, and asks nobody else, at %j",
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
});
