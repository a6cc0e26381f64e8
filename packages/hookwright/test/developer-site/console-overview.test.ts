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
    await page
      .getByText("No delivery failed after its last attempt. 3 retries in the last 24 hours.")
      .waitFor();
    const panel = page.locator(".panel", { hasText: "Webhooks by failures in the last 24 hours" });
    await expect
      .poll(() => panel.getByRole("listitem").allTextContents())
      .toEqual([expect.stringMatching(/Failing.*Shop.* 3 retries$/u)]);
    await page.getByRole("radio", { name: "7d" }).check();
    await page.getByRole("heading", { name: "Webhooks by failures in the last 7 days" }).waitFor();
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
      .toEqual([expect.stringMatching(/^Shop 127\.0\.0\.1:\d+ review\.submitted3 of 11 attempts/u)]);
    await attention.getByRole("link", { name: "Look" }).click();
    await page.getByRole("link", { name: "rev_c" }).waitFor();
    await openSection(page, "Events");
    await page.getByText("Failing").waitFor();
    await openSection(page, "Webhooks");
    await page.getByRole("link", { name: "Needs attention 1" }).click();
    await page.getByRole("row").filter({ hasText: "Shop" }).getByText("Failing").waitFor();
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
    await tile.getByRole("link", { name: "1", exact: true }).click();
    await page.getByRole("link", { name: "Pending 1" }).waitFor();
    await page.getByRole("row", { name: "rev_1" }).getByText("Pending").waitFor();
  });
});
