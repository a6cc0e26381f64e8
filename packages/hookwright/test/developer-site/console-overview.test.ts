import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openSection } from "../support/console-screens.ts";
import { hasBrowser } from "../support/open-browser.ts";
import type { World } from "../support/open-console.ts";
import { prepareVisits, publishMany } from "../support/visit-console.ts";

/** A webhook that has accepted eight deliveries, and retries three others. */
async function failThree(world: World): Promise<void> {
  await world.createWebhook("/shop", { name: "Shop" });
  await publishMany(world, 8);
  world.answerWith(503);
  for (const record of ["rev_a", "rev_b", "rev_c"]) await world.publish(record);
  await world.settled();
}

/** Two webhooks that are disabled, two that fail, and two that are paused. */
async function makeSixProblems(world: World): Promise<void> {
  const publish = async (count: number, prefix: string): Promise<void> => {
    for (let number = 0; number < count; number++) await world.publish(`${prefix}_${number}`);
    await world.settled();
  };
  const create = async (...names: string[]): Promise<string[]> => {
    const created = [];
    for (const name of names) created.push((await world.createWebhook(`/${name}`, { name })).path);
    return created;
  };
  world.answerWith(500);
  const off = await create("One", "Two");
  await publish(16, "rev_off");
  for (const path of off)
    await expect.poll(async () => (await world.ask(`GET ${path}`)).data["status"]).toBe("switched_off");
  const failing = await create("Three", "Four");
  await publish(3, "rev_failing");
  for (const path of failing)
    await expect
      .poll(async () => (await world.ask(`GET ${path}`)).data["consecutive_failures"])
      .toBeGreaterThan(5);
  for (const path of await create("Five", "Six")) await world.ask(`POST ${path}/pause`);
}

const chart = (page: Page) =>
  page.getByRole("figure").filter({ has: page.getByRole("heading", { name: "Deliveries" }) });

describe.runIf(hasBrowser)("the overview", { timeout: 120_000 }, () => {
  const visit = prepareVisits({ retryDelaysSeconds: [3_600] });
  const visitRetried = prepareVisits({ retryDelaysSeconds: [0.05, 3_600], endpointBackoffSeconds: 0 });

  it("shows pending events apart from the success rate, and retries apart from events", async () => {
    await using visited = await visitRetried();
    const { page, world, open, complaints } = visited;
    await failThree(world);
    // Each has two failed attempts, and waits for the third one.
    await expect.poll(() => world.received.length).toBe(8 + 6);
    await open("");
    const rate = page.locator(".tile", { hasText: "Success rate" }).locator(".value");
    await expect.poll(() => rate.textContent()).toBe("100 %");
    await expect
      .poll(() => chart(page).locator("figcaption").textContent())
      .toBe("11 due: 8 delivered, 3 pending. 3 retries.");
    await expect.poll(() => chart(page).locator(".bar .info").count()).toBe(1);
    await expect.poll(() => chart(page).locator(".strip-plot rect").count()).toBe(1);
    await chart(page).getByText("View as table").click();
    const [newest] = await chart(page).getByRole("row").filter({ hasNotText: "Time" }).allTextContents();
    expect(newest).toMatch(/830003$/u);
    await page.getByText("Issues in the last 24 hours").waitFor();
    const panel = page.locator(".panel", { hasText: "Webhooks by failures in the last 24 hours" });
    await expect
      .poll(() => panel.getByRole("listitem").allTextContents())
      .toEqual([expect.stringMatching(/Failing.*Shop.* 3 retries$/u)]);
    await page.getByRole("radio", { name: "7d" }).check();
    await page.getByRole("heading", { name: "Webhooks by failures in the last 7 days" }).waitFor();
    const firstTry = page.locator(".tile .warn", { hasText: "first try 72.7 %" });
    await firstTry.waitFor();
    await page.getByRole("listitem").getByRole("link", { name: /^Shop/u }).last().click();
    await page.getByRole("heading", { name: "Shop", level: 1 }).waitFor();
    await firstTry.waitFor();
    await openSection(page, "Webhooks");
    await page.locator(".flaky", { hasText: "first try 72.7 %" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("leads from a failing webhook to its deliveries, and every list calls it failing", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await failThree(world);
    await open("");
    const attention = page.getByRole("region", { name: "Needs attention" }).getByRole("listitem");
    await expect
      .poll(() => attention.allTextContents())
      .toEqual([expect.stringMatching(/^Shop 127\.0\.0\.1:\d+◐Failing503since .* waitingLook$/u)]);
    await attention.getByRole("link", { name: "Look" }).click();
    await page.getByRole("link", { name: "rev_c" }).waitFor();
    await openSection(page, "Events");
    await page.getByText("Failing").waitFor();
    await openSection(page, "Webhooks");
    await page.getByRole("link", { name: "Needs attention 1" }).click();
    await page.getByRole("row").filter({ hasText: "Shop" }).getByText("Failing").waitFor();
  });

  it("has one row for equal failures, which opens exactly their deliveries", async () => {
    await using visited = await visitRetried();
    const { page, world, open, complaints } = visited;
    await failThree(world);
    await expect.poll(() => world.received.length).toBe(8 + 6);
    await open("");
    const issues = page.getByRole("region", { name: "Issues" }).getByRole("listitem");
    await expect
      .poll(() => issues.allTextContents())
      .toEqual([expect.stringMatching(/^503Empty response.*3 deliveries/u)]);
    await issues.getByRole("link", { name: "Empty response" }).click();
    await page.getByText("3 shown").or(page.getByRole("row").nth(3)).first().waitFor();
    await expect
      .poll(() => page.locator("tbody .row-link").allTextContents())
      .toEqual(["rev_c", "rev_b", "rev_a"]);
    await page.goBack();
    await issues.getByRole("button", { name: "Actions for the issue" }).click();
    await page.getByRole("menuitem", { name: "Ignore" }).click();
    await page.getByText("No attempt failed.").waitFor();
    await page.getByRole("button", { name: "Show ignored ones" }).click();
    await issues.getByText("ignored").waitFor();
    expect(complaints).toEqual([]);
  });

  it.each([
    [1440, 900, 480],
    [390, 844, 700],
  ])("has six alerts in %i × %i pixels, and the tiles begin above %i pixels", async (width, height, end) => {
    await using visited = await visitRetried();
    const { page, open, complaints } = visited;
    await makeSixProblems(visited.world);
    await open("");
    await page.setViewportSize({ width, height });
    const attention = page.getByRole("region", { name: "Needs attention" });
    await expect.poll(() => attention.getByRole("listitem").count()).toBe(3);
    await attention.getByRole("link", { name: "not sent" }).first().waitFor();
    const tops = await page
      .locator(".tile")
      .evaluateAll((tiles) => tiles.map((tile) => tile.getBoundingClientRect().top));
    expect(Math.min(...tops)).toBeLessThan(end);
    await attention.getByRole("button", { name: "3 more" }).click();
    await expect.poll(() => attention.getByRole("listitem").count()).toBe(6);
    await attention.getByRole("button", { name: "Snooze Two" }).click();
    await page.getByRole("menuitem", { name: "Snooze for a day" }).click();
    await expect.poll(() => attention.getByRole("listitem").count()).toBe(5);
    await attention.getByRole("button", { name: "1 snoozed or acknowledged" }).click();
    await attention.getByRole("button", { name: "Snooze Two" }).click();
    await page.getByRole("menuitem", { name: "Bring back" }).click();
    await expect.poll(() => attention.getByRole("listitem").count()).toBe(6);
    expect(complaints).toEqual([]);
  });

  it("calls a delivery before its first attempt pending, as the tab and the tile do", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await world.createWebhook("/shop");
    world.answerWith("nothing");
    await world.publish("rev_1");
    await open("");
    const tile = page.locator(".tile", { has: page.getByRole("heading", { name: "Pending" }) });
    await expect.poll(() => tile.locator(".value").textContent()).toBe("1");
    await tile.getByRole("link", { name: "1 pending" }).click();
    await page.getByRole("link", { name: "Pending 1" }).waitFor();
    await page.getByRole("row", { name: "rev_1" }).getByText("Pending").waitFor();
  });
});
