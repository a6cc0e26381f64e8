import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openSection } from "../support/console-screens.ts";
import { hasBrowser } from "../support/open-browser.ts";
import type { CreatedWebhook, World } from "../support/open-console.ts";
import { prepareVisits } from "../support/visit-console.ts";

const lost = { Failed: 30, Cancelled: 0, "Not sent": 7 };
/** What became of the events of {@link haveAnOutage}. */
const truth = { Delivered: 6, Pending: 0, ...lost };
const all = 43;

/** The outcomes in the order in which the console lists them. */
const titles = ["Delivered", "Pending", "Failed", "Cancelled", "Not sent"] as const;
const inWords = titles
  .filter((title) => truth[title] > 0)
  .map((title) => `${truth[title]} ${title.toLowerCase()}`);

/** A working webhook of one site, and one of another site that fails until it is switched off, and misses events. */
async function haveAnOutage(world: World): Promise<CreatedWebhook> {
  const blog = world.site.replace("site_1", "site_2");
  const shop = await world.createWebhook("/shop", { project_id: world.site });
  for (const number of [1, 2, 3, 4, 5]) await world.publish(`rev_good_${number}`);
  await world.settled();
  const broken = await world.createWebhook("/blog", { project_id: blog });
  await world.publish("rev_early_1", blog);
  await world.settled();
  world.answerWith(503);
  for (let number = 1; number <= 30; number++) {
    await world.publish(`rev_bad_${number}`, blog);
    // One at a time: none is cancelled.
    await world.settled();
  }
  const statusOf = async () => (await world.ask(`GET ${broken.path}`)).data["status"];
  await expect.poll(statusOf).toBe("switched_off");
  for (let number = 1; number <= 7; number++) await world.publish(`rev_missed_${number}`, blog);
  world.answerWith(204);
  // Neither is counted: a test, and a resend of what was accepted.
  await world.ask(`POST ${shop.path}/test`);
  const { rows } = await world.ask(`GET /console/api/deliveries?webhook_id=${shop.id}&kind=event&limit=1`);
  await world.ask(`POST /console/api/deliveries/${String(rows[0]?.["id"])}/resend`);
  return broken;
}

/** The numbers in the legend of the chart. */
async function readLegend(page: Page): Promise<Record<string, number>> {
  const entries = await page
    .getByRole("list", { name: "Deliveries: what is shown" })
    .getByRole("listitem")
    .allTextContents();
  return Object.fromEntries(
    entries.map((text) => [text.replace(/ \d+$/u, ""), Number(text.split(" ").at(-1))]),
  );
}

/** The sums of the columns of the chart's table. */
async function sumTable(page: Page): Promise<Record<string, number>> {
  const figure = page.getByRole("figure").filter({ has: page.getByRole("heading", { name: "Deliveries" }) });
  await figure.getByText("View as table").click();
  return figure.getByRole("table").evaluate((table) => {
    const names = [...table.querySelectorAll("thead th")].map((cell) => cell.textContent ?? "");
    const rows = [...table.querySelectorAll("tbody tr")].map((row) =>
      [...row.children].map((cell) => Number(cell.textContent?.replaceAll(",", ""))),
    );
    return Object.fromEntries(
      names.slice(1).map((name, index) => [name, rows.reduce((sum, row) => sum + (row[index + 1] ?? 0), 0)]),
    );
  });
}

function tileOf(page: Page, name: string) {
  return page.locator(".tile", { has: page.getByRole("heading", { name, exact: true }) });
}

// The simulation compares these numbers on every storage.
describe.runIf(hasBrowser)("the ledger in the console", { timeout: 120_000 }, () => {
  const visit = prepareVisits({ retryDelaysSeconds: [], endpointBackoffSeconds: 0 });

  it("shows the same numbers in tiles, chart, banners, tabs, rows and recovery, and 100 % only after it", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    const broken = await haveAnOutage(world);
    await open("");
    const rate = tileOf(page, "Success rate").locator(".value");
    // Rounded down: 6 of 43.
    await expect.poll(() => rate.textContent()).toBe("13.9 %");
    await expect.poll(() => tileOf(page, "Delivered").locator(".value").textContent()).toBe("6");
    await expect.poll(() => tileOf(page, "Not delivered").locator(".value").textContent()).toBe("37");
    await expect
      .poll(() => tileOf(page, "Not delivered").locator(".change").textContent())
      .toBe("30 failed · 7 not sent");
    expect(await readLegend(page)).toEqual(truth);
    await page.getByText(`${all} due: ${inWords.join(", ")}`).waitFor();
    expect(await sumTable(page)).toEqual(
      Object.fromEntries(titles.map((title) => [title.toLowerCase(), truth[title]])),
    );
    const attention = page.getByRole("region", { name: "Needs attention" });
    // The failures before it was disabled are part of the loss.
    await attention.getByText("30 failed · 7 not sent").waitFor();
    const panel = page.locator(".panel", { hasText: "Webhooks by failures" }).getByRole("listitem");
    await expect
      .poll(() => panel.allTextContents())
      .toEqual([expect.stringMatching(/30 failed · 7 not sent$/u)]);

    await page.goto(`${visited.address}#/webhooks/${broken.id}`);
    await page.locator(".note").getByText("30 failed · 7 not sent").waitFor();
    await expect
      .poll(() => tileOf(page, "Not delivered").locator(".change").textContent())
      .toBe("30 failed · 7 not sent");

    await openSection(page, "Deliveries");
    const tabs = page.getByRole("navigation", { name: "Status" });
    await expect
      .poll(() => tabs.getByRole("link").allTextContents())
      .toEqual(["All ", ...titles.map((title) => `${title} ${truth[title]}`)]);
    const rows = page.locator("tbody tr");
    await tabs.getByRole("link", { name: "Delivered" }).click();
    await expect.poll(() => rows.count()).toBe(truth.Delivered);
    await tabs.getByRole("link", { name: "Failed" }).click();
    await page.getByRole("button", { name: "Load more" }).click();
    await expect.poll(() => rows.count()).toBe(truth.Failed);
    await tabs.getByRole("link", { name: "Not sent" }).click();
    await expect
      .poll(() => rows.allTextContents())
      .toEqual([expect.stringContaining("Disabled7 eventsRecover …")]);

    await page.getByRole("link", { name: "Recover …" }).click();
    const dialog = page.getByRole("dialog", { name: "Send again" });
    await dialog.getByText("37 deliveries and events to send again.").waitFor();
    await expect
      .poll(() => dialog.locator(".check .count").allTextContents())
      .toEqual([lost.Failed, lost.Cancelled, lost["Not sent"]].map(String));
    await dialog.getByRole("button", { name: "Turn on and send again" }).click();
    await dialog.waitFor({ state: "detached" });
    await openSection(page, "Overview");
    await expect.poll(() => rate.textContent()).toBe("100 %");
    await expect.poll(() => tileOf(page, "Delivered").locator(".value").textContent()).toBe(String(all));
    await expect.poll(() => tileOf(page, "Not delivered").locator(".value").textContent()).toBe("0");
    expect(complaints).toEqual([]);
  });
});
