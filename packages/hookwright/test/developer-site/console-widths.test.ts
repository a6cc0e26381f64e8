import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hasBrowser } from "../support/open-browser.ts";
import {
  createWebhook,
  openNewWebhook,
  prepareVisits,
  publishMany,
  signInToWebhooks,
} from "../support/visit-console.ts";
import type { Visit } from "../support/visit-console.ts";

const phone = { width: 390, height: 844 };

/** One row in each list: a webhook, a delivery, a key and its request. */
async function fillLists({ page, world }: Visit, keyName = "Warehouse"): Promise<void> {
  const { api_key } = await world.hookwright.apiKeys.create("acc_1", { name: keyName });
  const response = await world.hookwright.fetch(
    new Request("http://localhost/v1/contacts/ct_0193f7a2c4b97d3e8f10a2b3c4d5e6f7", {
      headers: { authorization: `Bearer ${api_key}` },
    }),
  );
  expect(response.status).toBe(404);
  await createWebhook(page, `${world.origin}/hook`);
  await publishMany(world, 1);
}

async function openList(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { name, exact: true }).waitFor();
  await page.getByRole("table").waitFor();
}

/** The positions of these elements. */
const placesOf = (locator: Locator): Promise<DOMRect[]> =>
  locator.evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect()));

/** How much larger the content of an element is than the element. */
const hiddenOf = (locator: Locator): Promise<number> =>
  locator.evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
    Math.max(scrollWidth - clientWidth, scrollHeight - clientHeight),
  );

describe.runIf(hasBrowser)("the console at each width", { timeout: 60_000 }, () => {
  const visit = prepareVisits();

  it("a phone shows the state and the action of each row without horizontal scrolling", async () => {
    await using visited = await visit();
    const { page } = visited;
    await signInToWebhooks(page);
    await fillLists(visited);
    await page.setViewportSize(phone);
    const shown = {
      Webhooks: page.locator("tbody .badge", { hasText: "active" }),
      Deliveries: page.locator("tbody .badge", { hasText: "delivered" }),
      Requests: page.locator("tbody .badge", { hasText: "404" }),
      "API keys": page.getByRole("button", { name: "Revoke Warehouse" }),
    };
    for (const [name, mark] of Object.entries(shown)) {
      await openList(page, name);
      // The request log is written after the responses.
      await page.getByRole("button", { name: "Refresh" }).click();
      await mark.waitFor();
      const [place] = await placesOf(mark);
      expect([name, place?.right]).toEqual([name, expect.toSatisfy((right) => right <= phone.width)]);
      expect([name, await hiddenOf(page.locator(".table"))]).toEqual([name, 0]);
    }
    expect(await page.getByRole("cell", { name: "Warehouse" }).first().isVisible()).toBe(true);
  });

  it("a card names its values, and is still a table for screen readers", async () => {
    await using visited = await visit();
    const { page } = visited;
    await signInToWebhooks(page);
    await fillLists(visited);
    await page.setViewportSize(phone);
    await openList(page, "Deliveries");
    expect(await page.getByRole("table").ariaSnapshot()).toContain('- columnheader "Next attempt"');
    expect(await page.getByRole("cell", { name: "Attempts 1" }).isVisible()).toBe(true);
  });

  it("the name of a header is above its value on a phone, and beside it on a wide screen", async () => {
    await using visited = await visit();
    const { page } = visited;
    await signInToWebhooks(page);
    await openNewWebhook(visited);
    await page.getByRole("button", { name: "Send test" }).click();
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

  it.each([1_280, phone.width])("filters and their labels are aligned, at %i px", async (width) => {
    await using visited = await visit();
    const { page } = visited;
    await signInToWebhooks(page);
    await page.setViewportSize({ ...phone, width });
    await page.getByRole("link", { name: "Deliveries" }).click();
    await page.getByLabel("Kind").waitFor();
    const fields = page.getByRole("search").locator(".field");
    const heightsOf = async (selector: string): Promise<ReadonlySet<number>> =>
      new Set((await placesOf(fields.locator(selector))).map(({ height }) => Math.round(height)));
    expect((await heightsOf("label")).size).toBe(1);
    expect((await heightsOf("input, select")).size).toBe(1);
    const rows = new Set((await placesOf(fields.locator("label"))).map(({ top }) => top));
    expect(rows.size).toBe(width === phone.width ? 4 : 1);
  });

  it.each([1_280, phone.width])("the whole secret is visible, at %i px", async (width) => {
    await using visited = await visit();
    const { page, world } = visited;
    await signInToWebhooks(page);
    await page.setViewportSize({ ...phone, width });
    await page.getByRole("button", { name: "Create webhook" }).click();
    await page.getByRole("dialog").getByLabel("URL").fill(`${world.origin}/hook`);
    await page.getByRole("dialog").getByRole("button", { name: "Create webhook" }).click();
    expect(await hiddenOf(page.getByLabel("Signing secret", { exact: true }))).toBe(0);
    await page.getByRole("button", { name: "I have stored it" }).click();
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Zapier");
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    expect(await hiddenOf(page.getByRole("dialog").getByRole("textbox", { name: "API key" }))).toBe(0);
  });

  it("the page is never wider than the window", async () => {
    await using visited = await visit();
    const { page } = visited;
    await signInToWebhooks(page);
    await fillLists(visited);
    for (const width of [320, 390, 768, 800, 1_024, 1_280]) {
      await page.setViewportSize({ ...phone, width });
      for (const name of ["Webhooks", "Deliveries", "Requests", "API keys"]) {
        await openList(page, name);
        const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
        expect([name, scrollWidth]).toEqual([name, width]);
      }
    }
  });

  it("a list shows three lines of a long URL, and its page shows all of it", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await signInToWebhooks(page);
    const url = `${world.origin}/${"path/".repeat(300)}`;
    await createWebhook(page, url);
    const link = page.getByRole("link", { name: url });
    await link.waitFor();
    const [cut] = await placesOf(link);
    const lineHeight = await link.evaluate((element) =>
      Number.parseFloat(getComputedStyle(element).lineHeight),
    );
    expect(Math.round((cut?.height ?? 0) / lineHeight)).toBe(3);
    await link.click();
    const heading = page.getByRole("heading", { name: url });
    await heading.waitFor();
    expect(await hiddenOf(heading)).toBe(0);
  });

  it("a long name wraps, so that the elements beside it stay visible", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    const name = "W".repeat(200);
    await world.hookwright.projects.put("site_1", { name });
    await signInToWebhooks(page);
    await fillLists(visited, name);
    const { rows } = await world.ask("GET /console/api/webhooks");
    await world.ask(`DELETE /console/api/webhooks/${String(rows[0]?.["id"])}`);
    const body = { event: "review.submitted", target_url: `${world.origin}/hook`, project_id: "site_1" };
    await world.ask("POST /console/api/webhooks", body);
    await page.reload();
    for (const list of ["Webhooks", "Requests", "API keys"]) {
      await openList(page, list);
      await page.getByRole("button", { name: "Refresh" }).click();
      await page.getByRole("cell", { name, exact: true }).waitFor();
      expect([list, await hiddenOf(page.locator(".table"))]).toEqual([list, 0]);
    }
  });

  it("a long record id gets the width of its card", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await signInToWebhooks(page);
    await createWebhook(page, `${world.origin}/hook`);
    await world.publish("r".repeat(60));
    await world.settled();
    await page.setViewportSize({ width: 768, height: 1_024 });
    await openList(page, "Deliveries");
    expect(
      await page.getByRole("link", { name: /^r{60}$/u }).evaluate((link) => link.getClientRects().length),
    ).toBe(1);
  });

  it("a printed page has all texts and no controls", async () => {
    await using visited = await visit();
    const { page } = visited;
    await signInToWebhooks(page);
    await openNewWebhook(visited);
    await page.getByRole("button", { name: "Send test" }).click();
    const body = page.getByRole("group", { name: "Request body" });
    await body.waitFor();
    expect(await hiddenOf(body)).toBeGreaterThan(0);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await hiddenOf(body)).toBe(0);
    expect(await page.getByRole("navigation").count()).toBe(0);
    expect(await page.getByRole("button").count()).toBe(0);
    expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe("rgb(28, 34, 33)");
  });

  it("the text size follows the browser's setting", async () => {
    await using visited = await visit();
    const { page } = visited;
    const browser = await page.context().newCDPSession(page);
    const sizeOf = (): Promise<string> =>
      page.getByText("Sign in with").evaluate((text) => getComputedStyle(text).fontSize);
    expect(await sizeOf()).toBe("15px");
    await browser.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
    await expect.poll(sizeOf).toBe("30px");
  });

  it("the name of a value is above it with large text on a small screen", async () => {
    await using visited = await visit();
    const { page } = visited;
    await signInToWebhooks(page);
    await fillLists(visited);
    await page.setViewportSize(phone);
    const browser = await page.context().newCDPSession(page);
    const event = page.locator("td[data-name=Event] code");
    await openList(page, "Deliveries");
    const [besideName] = await placesOf(event);
    await browser.send("Page.setFontSizes", { fontSizes: { standard: 24 } });
    const left = async (): Promise<number | undefined> => (await placesOf(event))[0]?.left;
    await expect.poll(left).toBeLessThan((besideName?.left ?? 0) / 2);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
  });
});
