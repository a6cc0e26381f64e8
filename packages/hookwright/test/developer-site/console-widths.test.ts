import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { choosePart } from "../support/console-screens.ts";
import { fillLists, hiddenOf, listOf, openList, phone, placesOf } from "../support/measure-console.ts";
import { hasBrowser } from "../support/open-browser.ts";
import { openNewWebhook, prepareVisits, sendTest } from "../support/visit-console.ts";

describe.runIf(hasBrowser)("the console at each width", { timeout: 120_000 }, () => {
  const visit = prepareVisits();

  it("a phone shows the status and the action of each row without horizontal scrolling", async () => {
    await using visited = await visit();
    const { page, open } = visited;
    await fillLists(visited);
    await open("");
    await page.setViewportSize(phone);
    const shown = {
      Webhooks: page.locator("tbody .status", { hasText: "Active" }),
      Deliveries: page.locator("tbody .status", { hasText: "Delivered" }),
      Requests: page.locator("tbody .answer", { hasText: "404" }),
      Keys: page.getByRole("button", { name: "Revoke Warehouse" }),
    };
    for (const [name, mark] of Object.entries(shown)) {
      await openList(page, name);
      await mark.waitFor();
      const [place] = await placesOf(mark);
      expect([name, place?.right]).toEqual([name, expect.toSatisfy((right) => right <= phone.width)]);
      expect([name, await hiddenOf(listOf(page))]).toEqual([name, 0]);
    }
    await expect.poll(() => page.getByRole("cell", { name: "Warehouse" }).first().isVisible()).toBe(true);
  });

  it("a row has two lines on a phone, and is still a table row for screen readers", async () => {
    await using visited = await visit();
    const { page, open } = visited;
    await fillLists(visited);
    await open("deliveries");
    await page.setViewportSize(phone);
    const row = page.getByRole("row", { name: "rev_1" });
    const [place] = await placesOf(row);
    expect(place?.height).toBeLessThan(64);
    const table = page.getByRole("table", { name: "Deliveries, newest first" });
    await expect
      .poll(() => table.getByRole("columnheader").allTextContents())
      .toEqual(["Select", "Status", "Event", "Record", "Endpoint", "Last answer", "Created"]);
    await expect
      .poll(() => row.getByRole("cell").allTextContents())
      .toEqual([
        "",
        "●Delivered",
        "review.submitted",
        "rev_1",
        expect.stringMatching(/^\/hook/u),
        "204",
        expect.stringMatching(/now|ago/u),
      ]);
    // A tap beside the box selects too, and does not open the row.
    const { x = 0, y = 0 } = (await row.boundingBox()) ?? {};
    await page.mouse.click(x + 6, y + 8);
    await page.getByText("1 selected").waitFor();
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    const box = row.getByRole("checkbox");
    await expect.poll(() => box.isChecked()).toBe(true);
    await page.setViewportSize({ ...phone, width: 1_280 });
    const wide = (await row.boundingBox()) ?? { x: 0, y: 0, height: 0 };
    await page.mouse.click(wide.x + 3, wide.y + wide.height / 2);
    await page.getByText("1 selected").waitFor({ state: "detached" });
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });

  it("the log shows time, kind and both ends of a record at each width above a phone", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    const { path } = await fillLists(visited);
    await world.ask(`POST ${path}/test`);
    await open("deliveries");
    const badge = page.locator(".badge", { hasText: "test" });
    await badge.waitFor();
    for (const width of [641, 768, 1_024, 1_280, 1_440]) {
      await page.setViewportSize({ ...phone, width });
      expect([width, await hiddenOf(listOf(page))]).toEqual([width, 0]);
      const [table] = await placesOf(listOf(page));
      const [created] = await placesOf(page.getByRole("columnheader", { name: "Created" }));
      expect(created?.right).toBeLessThanOrEqual(table?.right ?? 0);
      const cell = page.getByRole("cell").filter({ has: badge });
      const [outer] = await placesOf(cell);
      for (const part of [badge, cell.locator(".middle-text > :last-child")]) {
        const [inner] = await placesOf(part);
        expect(inner?.right).toBeLessThanOrEqual(outer?.right ?? 0);
      }
    }
  });

  it("the name of a header is above its value on a phone, and beside it on a wide screen", async () => {
    await using visited = await visit();
    const { page } = visited;
    await openNewWebhook(visited);
    await sendTest(page);
    await choosePart(page, "Headers");
    const header = page.locator(".headers > div", { hasText: "X-Service-Signature" });
    const places = async (): Promise<readonly (DOMRect | undefined)[]> => [
      ...(await placesOf(header.locator("dt"))),
      ...(await placesOf(header.locator("dd"))),
    ];
    await header.waitFor();
    const [name, value] = await places();
    expect(value?.left).toBeGreaterThanOrEqual(name?.right ?? Infinity);
    await page.setViewportSize(phone);
    const [above, below] = await places();
    expect(below?.left).toBe(above?.left);
    expect(below?.top).toBeGreaterThanOrEqual(above?.bottom ?? Infinity);
  });

  it("filters and their labels are aligned", async () => {
    await using visited = await visit();
    const { page, open } = visited;
    await open("deliveries");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByLabel("Kind").waitFor();
    const fields = page.getByRole("group", { name: "Filters" }).locator(".field");
    const heightsOf = async (selector: string): Promise<ReadonlySet<number>> =>
      new Set((await placesOf(fields.locator(selector))).map(({ height }) => Math.round(height)));
    for (const width of [1_280, phone.width]) {
      await page.setViewportSize({ ...phone, width });
      expect((await heightsOf("label")).size).toBe(1);
      expect((await heightsOf("input, select")).size).toBe(1);
      const columns = new Set((await placesOf(fields.locator("label"))).map(({ left }) => left));
      expect(columns.size).toBeLessThanOrEqual(width === phone.width ? 1 : 2);
      const [menu] = await placesOf(page.getByRole("group", { name: "Filters" }));
      expect(menu?.left).toBeGreaterThanOrEqual(0);
      expect(menu?.right).toBeLessThanOrEqual(width);
    }
  });

  it("the whole secret is visible, options of commands are not broken, and buttons have own names", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    const expectVisible = async (secret: Locator): Promise<void> => {
      await secret.waitFor();
      for (const width of [phone.width, 1_280]) {
        await page.setViewportSize({ ...phone, width });
        await expect.poll(() => hiddenOf(secret)).toBe(0);
      }
    };
    const dialog = page.getByRole("dialog");
    await open("webhooks?create=webhook");
    await dialog.getByLabel("URL").fill(`${world.origin}/hook`);
    await dialog.getByRole("button", { name: "Create webhook" }).click();
    const secret = page.getByLabel("Signing secret", { exact: true });
    await expectVisible(secret);
    const options = dialog.locator(".command-line span", { hasText: /^--/u });
    for (const width of [360, 390, 768, 1_440]) {
      await page.setViewportSize({ ...phone, width });
      const places = await placesOf(options);
      expect(new Set(places.map(({ top, bottom }) => Math.round(bottom - top))).size).toBe(1);
    }
    const names = await dialog
      .getByRole("button")
      .evaluateAll((buttons) => buttons.map((each) => each.ariaLabel ?? each.textContent));
    expect(new Set(names).size).toBe(names.length);
    await page.getByRole("button", { name: "I have stored it" }).click();
    await open("keys?create=key");
    await dialog.getByLabel("Name").fill("Zapier");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await expectVisible(dialog.getByRole("textbox", { name: "API key" }));
  });

  it("no list is wider than a window of 320 px, which is a wide one at 400 %", async () => {
    await using visited = await visit();
    const { page, open } = visited;
    await fillLists(visited);
    await open("");
    for (const name of ["Webhooks", "Deliveries", "Requests", "Keys"]) {
      await page.setViewportSize({ ...phone, width: 1_280 });
      await openList(page, name);
      await page.setViewportSize({ ...phone, width: 320 });
      const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([name, scrollWidth]).toEqual([name, 320]);
    }
  });

  it("the lists can be filtered by site", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await open("webhooks");
    const hash = async (): Promise<string> => page.evaluate(() => location.hash);
    await page.setViewportSize({ ...phone, width: 1_024 });
    await page.getByRole("button", { name: /^Account/u }).click();
    await page.getByRole("combobox", { name: "Site" }).selectOption("Shop");
    await expect.poll(hash).toBe(`#/webhooks?site=${world.site}`);
    await page.keyboard.press("Escape");
    await page.setViewportSize(phone);
    await page.getByRole("button", { name: "Remove the filter Site: Shop" }).click();
    await expect.poll(hash).toBe("#/webhooks");
  });
});
