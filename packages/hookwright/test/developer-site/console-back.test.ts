import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hasBrowser, intercept } from "../support/open-browser.ts";
import { openDeliveryPage, openSection, resumeLive } from "../support/console-screens.ts";
import {
  askToDelete,
  hold,
  openNewWebhook,
  pauseLive,
  prepareVisits,
  publishMany,
  watchPending,
  webhookLink,
} from "../support/visit-console.ts";

const scrolled = (page: Page): Promise<number> => page.evaluate(() => scrollY);

/** Records the requests for the list of deliveries from now on. A delivery searches for others of its event with `q`. */
function noteListings(page: Page): readonly string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === "/console/api/deliveries" && !searchParams.has("q")) asked.push(request.url());
  });
  return asked;
}

/** Waits until all work after painting is done. */
async function painted(page: Page, frames: number): Promise<void> {
  for (let frame = 1; frame <= frames; frame++)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
}

describe.runIf(hasBrowser)("going back in the console", { timeout: 120_000 }, () => {
  const visit = prepareVisits();

  it("restores the scroll position and sends no requests", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    await world.createWebhook("/hook");
    await publishMany(world, 60);
    await open("deliveries");
    // A live change while the list is scrolled would show a button above it.
    await pauseLive(page);
    await page.getByRole("button", { name: "Load more" }).click();
    await page.getByRole("link", { name: "rev_13", exact: true }).scrollIntoViewIfNeeded();
    const depth = await scrolled(page);
    expect(depth).toBeGreaterThan(400);
    await openDeliveryPage(page, "rev_13");
    await expect.poll(() => scrolled(page)).toBe(0);
    const asked = noteListings(page);
    await page.goBack();
    await page.getByRole("link", { name: "rev_13", exact: true }).waitFor();
    await expect.poll(() => page.locator("tbody tr").count()).toBe(50);
    await expect.poll(() => scrolled(page)).toBe(depth);
    expect(asked).toEqual([]);
    await page.getByRole("button", { name: "Load more" }).click();
    await expect.poll(() => page.locator("tbody tr").count()).toBe(60);
    expect(complaints).toEqual([]);
  });

  it("reloads a list after a change, after a pause, and for a new visit through a link", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await world.createWebhook("/hook");
    await publishMany(world, 1);
    await open("deliveries");
    await pauseLive(page);
    const rows = page.locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(1);
    await openDeliveryPage(page, "rev_1");
    await page.getByRole("button", { name: "Resend" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Resend" }).click();
    await page.getByText("resend", { exact: true }).waitFor();
    await page.goBack();
    await page.goBack();
    await expect.poll(() => rows.count()).toBe(2);
    await world.publish("rev_2");
    await openDeliveryPage(page, "rev_1");
    await page.goBack();
    await page.getByRole("link", { name: "rev_1" }).first().waitFor();
    await expect.poll(() => rows.count()).toBe(2);
    await resumeLive(page);
    await expect.poll(() => rows.count()).toBe(3);
    await pauseLive(page);
    await world.publish("rev_3");
    await openSection(page, "Webhooks");
    await openSection(page, "Deliveries");
    await expect.poll(() => rows.count()).toBe(4);
  });

  it("restores the scroll position on the page of a webhook, where other content loads first", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    const { id } = await world.createWebhook("/hook");
    await publishMany(world, 60);
    await open(`webhooks/${id}?tab=deliveries`);
    // As above.
    await pauseLive(page);
    await page.getByRole("button", { name: "Load more" }).click();
    const link = page.getByRole("link", { name: "rev_13", exact: true });
    await link.scrollIntoViewIfNeeded();
    const depth = await scrolled(page);
    expect(depth).toBeGreaterThan(400);
    await openDeliveryPage(page, "rev_13");
    await page.goBack();
    await link.waitFor();
    await expect.poll(() => scrolled(page)).toBe(depth);
    // The restored list can be loaded again.
    await world.publish("rev_late");
    await resumeLive(page);
    await page.getByRole("button", { name: "Show the newest" }).click();
    await page.getByRole("link", { name: "rev_late" }).waitFor();
  });

  it("restores the scroll position if the first load failed and was retried", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await world.createWebhook("/hook");
    await publishMany(world, 60);
    await open("keys");
    await pauseLive(page);
    const list = /\/console\/api\/deliveries\?/u;
    await intercept(page, list, (route) => route.abort());
    await openSection(page, "Deliveries");
    await page.getByText("The server does not respond.").waitFor();
    await page.unroute(list);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("button", { name: "Load more" }).click();
    const rows = page.locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(50);
    await page.getByRole("navigation", { name: "Status" }).getByRole("link", { name: "Failed" }).click();
    await page.getByText("No matching deliveries in the last 24 hours.").waitFor();
    const asked = noteListings(page);
    await page.goBack();
    await expect.poll(() => rows.count()).toBe(50);
    await painted(page, 5);
    expect(asked).toEqual([]);
  });

  it("shows no outdated list after a change whose response was lost", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    const pending = watchPending(page);
    await world.createWebhook("/hook");
    await open("webhooks");
    await webhookLink(page, `${world.origin}/hook`).click();
    await pauseLive(page);
    // A request of the page that finds the webhook removed would close the dialog.
    await expect.poll(() => pending.size).toBe(0);
    await intercept(page, "**/console/api/webhooks/*", async (route) => {
      if (route.request().method() !== "DELETE") return route.continue();
      await route.fetch();
      return route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" });
    });
    await askToDelete(page);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Delete webhook" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.goBack();
    await page.goBack();
    await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
    await expect.poll(() => page.locator("tbody tr").count()).toBe(0);
  });

  it("does not cache a list that was requested before a change and arrived after it", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await openNewWebhook(visited);
    await pauseLive(page);
    const pausing = await hold(page, "**/pause", "request");
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Pause webhook" }).click();
    await pausing.asked;
    const listing = await hold(page, "**/console/api/webhooks?*", "answer");
    await page.evaluate(() => (location.hash = "#/webhooks"));
    await listing.asked;
    pausing.release();
    await pausing.settled;
    listing.release();
    await listing.settled;
    await page.unroute("**/console/api/webhooks?*");
    const link = webhookLink(page, `${world.origin}/hook`);
    await link.click();
    await page.getByRole("button", { name: "Skip and go live" }).waitFor();
    await page.goBack();
    await link.waitFor();
    await expect.poll(() => page.locator("tbody .status").textContent()).toContain("paused");
  });
});
