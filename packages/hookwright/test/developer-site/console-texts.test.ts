import { describe, expect, it } from "vitest";
import { openDelivery, openSection } from "../support/console-screens.ts";
import { fillLists, hiddenOf, listOf, openList, phone, placesOf } from "../support/measure-console.ts";
import { hasBrowser } from "../support/open-browser.ts";
import { openNewWebhook, prepareVisits, sendTest } from "../support/visit-console.ts";

describe.runIf(hasBrowser)("long, large and printed texts in the console", { timeout: 120_000 }, () => {
  const visit = prepareVisits();

  it("a list shows one line of a long URL, and its page shows all of it", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    const url = `${world.origin}/${"path/".repeat(300)}`;
    await world.createWebhook(url);
    await open("webhooks");
    const link = page.locator("tbody a.row-link");
    await link.waitFor();
    const [cut] = await placesOf(link);
    const lineHeight = await link.evaluate((element) =>
      Number.parseFloat(getComputedStyle(element).lineHeight),
    );
    expect(Math.round((cut?.height ?? 0) / lineHeight)).toBe(1);
    await expect.poll(() => link.getByTitle(url).count()).toBe(1);
    await link.click();
    const heading = page.getByRole("heading", { name: url });
    await heading.waitFor();
    await expect.poll(() => hiddenOf(heading)).toBe(0);
  });

  it("a long name is cut, so that the elements beside it stay visible", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    const name = "W".repeat(200);
    // Narrower windows have no column for the site.
    await page.setViewportSize({ width: 1_440, height: 900 });
    await world.hookwright.projects.put(world.site, { name });
    await fillLists(visited, { keyName: name, project_id: world.site });
    await open("");
    for (const list of ["Webhooks", "Requests", "Keys"]) {
      await openList(page, list);
      await page.getByRole("cell", { name, exact: true }).waitFor();
      expect([list, await hiddenOf(listOf(page))]).toEqual([list, 0]);
    }
  });

  it("a long record id has one line in a list, and is whole beside it", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await world.createWebhook("/hook");
    const record = "r".repeat(60);
    await world.publish(record);
    await world.settled();
    await open("deliveries");
    await page.setViewportSize({ width: 768, height: 1_024 });
    const lines = await page
      .getByRole("link", { name: record })
      .evaluate((link) => new Set(Array.from(link.getClientRects(), ({ top }) => top)).size);
    expect(lines).toBe(1);
    await expect.poll(() => hiddenOf(listOf(page))).toBe(0);
    const drawer = await openDelivery(page, record);
    await expect.poll(() => hiddenOf(drawer.getByRole("heading", { name: record }))).toBe(0);
  });

  it("a printed page has all texts and no controls", async () => {
    await using visited = await visit();
    const { page } = visited;
    await openNewWebhook(visited);
    await sendTest(page);
    const body = page.getByRole("group", { name: "Request body" });
    await body.waitFor();
    await expect.poll(() => hiddenOf(body)).toBeGreaterThan(0);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await expect.poll(() => hiddenOf(body)).toBe(0);
    const drawer = page.getByRole("dialog", { name: /^Test/u });
    await expect.poll(() => hiddenOf(drawer)).toBe(0);
    await expect.poll(() => page.getByRole("navigation").count()).toBe(0);
    await expect.poll(() => page.getByRole("radio").count()).toBe(0);
    await expect.poll(() => page.getByRole("button").count()).toBe(0);
    await expect
      .poll(() => page.evaluate(() => getComputedStyle(document.body).color))
      .toBe("rgb(23, 32, 31)");
  });

  it("the text size follows the browser's setting", async () => {
    await using visited = await visit();
    const { page, address } = visited;
    await page.goto(address);
    const browser = await page.context().newCDPSession(page);
    const sizeOf = (): Promise<string> =>
      page.getByText("Sign in with").evaluate((text) => getComputedStyle(text).fontSize);
    await expect.poll(() => sizeOf()).toBe("14px");
    await browser.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
    await expect.poll(sizeOf).toBe("28px");
  });

  it("large text on a small screen makes no page wider than the window", async () => {
    await using visited = await visit();
    const { page, open } = visited;
    await fillLists(visited);
    await open("");
    await page.setViewportSize(phone);
    const browser = await page.context().newCDPSession(page);
    await browser.send("Page.setFontSizes", { fontSizes: { standard: 24 } });
    for (const name of ["Overview", "Events", "Listen"]) {
      await openSection(page, name);
      expect([name, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([
        name,
        phone.width,
      ]);
    }
    for (const name of ["Webhooks", "Deliveries", "Requests", "Keys"]) {
      await openList(page, name);
      expect([name, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([
        name,
        phone.width,
      ]);
      expect([name, await hiddenOf(listOf(page))]).toEqual([name, 0]);
    }
  });
});
