import { describe, expect, it } from "vitest";
import { hasBrowser } from "../support/open-browser.ts";
import { prepareVisits } from "../support/visit-console.ts";

describe.runIf(hasBrowser).each(["", "/integrations"])(
  "the interactive reference at %j",
  { timeout: 120_000 },
  (mount) => {
    const visit = prepareVisits({ mount });

    it("shows every operation, fits every width, and sends a request with a key", async () => {
      await using visited = await visit();
      const { page, world, address, complaints } = visited;
      const { api_key: key } = await world.hookwright.apiKeys.create(world.account, { name: "Reader" });
      await page.goto(new URL("reference", address).href);
      await page.getByRole("heading", { name: "Integration API" }).waitFor();
      const transferred = await page.evaluate(() =>
        performance
          .getEntriesByType("resource")
          .reduce(
            (sum, entry) => sum + (entry instanceof PerformanceResourceTiming ? entry.transferSize : 0),
            0,
          ),
      );
      expect(transferred).toBeGreaterThan(50_000);
      expect(transferred).toBeLessThan(500_000);
      for (const name of ["Webhooks", "Contacts", "Orders", "OpenAPI document", "What webhooks send"])
        await page.getByRole("heading", { name, exact: true }).waitFor();
      const openApi = await page.request.get(new URL("v1/openapi.json", address).href);
      const { paths, webhooks }: Record<string, Record<string, object>> = await openApi.json();
      const operations = [...Object.values(paths ?? {}), ...Object.values(webhooks ?? {})].flatMap(
        Object.keys,
      );
      expect(await page.getByRole("heading", { level: 3 }).count()).toBe(operations.length);

      for (const width of [360, 390, 768, 1_024, 1_440]) {
        await page.setViewportSize({ width, height: 860 });
        const tooWide = await page.evaluate(() =>
          Array.from(document.querySelectorAll("body *"))
            .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5)
            .map((element) => `${element.tagName} ${element.className}`),
        );
        expect([width, tooWide]).toEqual([width, []]);
      }

      await page.getByLabel("API key").fill(key);
      await page.getByRole("button", { name: "Try it: The account that owns the key" }).click();
      // The form has no field.
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent?.trim())).toBe("Send");
      await page.keyboard.press("Enter");
      await page
        .getByRole("status")
        .filter({ hasText: /^Answered 200 in \d+ ms$/u })
        .waitFor();
      expect(await page.getByRole("group", { name: "cURL" }).first().textContent()).toContain(
        `Bearer ${key}`,
      );
      expect(complaints).toEqual([]);
    });

    it("has the session of the console that opened it, and creates a key", async () => {
      await using visited = await visit();
      const { page, world, open, complaints } = visited;
      await open("");
      const [reference] = await Promise.all([
        page.waitForEvent("popup"),
        page.getByRole("link", { name: "API reference" }).click(),
      ]);
      await reference.getByText(/^You are signed in as /u).waitFor();
      await reference.getByRole("button", { name: "Try it: The account that owns the key" }).click();
      await reference.getByRole("button", { name: "Send" }).click();
      await reference
        .getByRole("status")
        .filter({ hasText: /^Answered 200 /u })
        .waitFor();
      await reference.getByRole("button", { name: "Create a key" }).click();
      await expect.poll(() => reference.getByLabel("API key").inputValue()).toMatch(/^hwk_/u);
      await expect.poll(() => reference.evaluate(() => document.activeElement?.id)).toBe("api-key");
      expect((await world.ask("GET /console/api/keys")).rows).toMatchObject([
        { name: "API reference", rights: ["read"], expires_at: expect.any(String) },
      ]);
      // Signed out, it asks for a key, and it leads to the console.
      await page.goto(reference.url());
      await page.getByText(/^Examples and requests on this page use it/u).waitFor();
      const [console] = await Promise.all([
        page.waitForEvent("popup"),
        page.getByRole("link", { name: "Developer console" }).click(),
      ]);
      await console.getByRole("button", { name: "Sign in" }).waitFor();
      expect(complaints).toEqual([]);
    });
  },
);
