import { describe, expect, it } from "vitest";
import { openDelivery, openSection } from "../support/console-screens.ts";
import { hasBrowser } from "../support/open-browser.ts";
import {
  createWebhook,
  prepareVisits,
  publishMany,
  signInToWebhooks,
  within10s,
} from "../support/visit-console.ts";

describe.runIf(hasBrowser)("what changes by itself in the console", { timeout: 60_000 }, () => {
  const visit = prepareVisits();

  it("a delivery appears in the list, in the counts and on the overview without a reload", async () => {
    await using visited = await visit();
    const { page, world, complaints } = visited;
    await signInToWebhooks(page);
    await createWebhook(page, `${world.origin}/hook`);
    await openSection(page, "Deliveries");
    await page.getByText("No deliveries yet.").waitFor();
    await world.publish("rev_1");
    const row = page.getByRole("row", { name: "rev_1" });
    await row.getByText("Delivered").waitFor();
    await page
      .getByRole("navigation", { name: "Status" })
      .getByRole("link", { name: "Delivered 1" })
      .waitFor();
    await openSection(page, "Overview");
    const tile = page.locator(".tile", { hasText: "Delivered" }).first().locator(".value");
    await expect.poll(() => tile.textContent(), within10s).toBe("1");
    await world.publish("rev_2");
    await expect.poll(() => tile.textContent(), within10s).toBe("2");
    expect(complaints).toEqual([]);
  });

  it("a shown row and an open delivery follow their attempts", async () => {
    await using visited = await visit({ retryDelaysSeconds: [3, 3_600] });
    const { page, world } = visited;
    await signInToWebhooks(page);
    await createWebhook(page, `${world.origin}/hook`);
    world.answerWith(503);
    await world.publish("rev_1");
    await openSection(page, "Deliveries");
    const row = page.getByRole("row", { name: "rev_1" });
    await row.getByText("Retrying").waitFor();
    world.answerWith(204);
    const drawer = await openDelivery(page, "rev_1");
    await drawer.getByRole("listitem").filter({ hasText: "Attempt 2 in" }).waitFor();
    await drawer.getByRole("button", { name: "Attempt 2" }).waitFor();
    await drawer
      .getByRole("listitem")
      .filter({ hasText: /^Delivered$/u })
      .waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => row.locator(".status").textContent(), within10s).toContain("Delivered");
  });

  it("in a scrolled list new rows wait behind a button", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await signInToWebhooks(page);
    await createWebhook(page, `${world.origin}/hook`);
    await publishMany(world, 25);
    await openSection(page, "Deliveries");
    await page.getByRole("link", { name: "rev_1", exact: true }).scrollIntoViewIfNeeded();
    const depth = await page.evaluate(() => scrollY);
    expect(depth).toBeGreaterThan(200);
    await world.publish("rev_late");
    const more = page.getByRole("button", { name: "1 new" });
    await more.waitFor();
    expect(await page.getByRole("link", { name: "rev_late" }).count()).toBe(0);
    await more.click();
    await page.getByRole("link", { name: "rev_late" }).waitFor();
    expect(await more.count()).toBe(0);
  });

  it("says that the connection is lost, keeps what it shows, and recovers", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await signInToWebhooks(page);
    await createWebhook(page, `${world.origin}/hook`);
    await publishMany(world, 1);
    await openSection(page, "Deliveries");
    await page.getByRole("link", { name: "rev_1", exact: true }).waitFor();
    await page.getByRole("button", { name: "Live", exact: true }).waitFor();
    await page.route("**/console/api/events", (route) => route.abort());
    visited.dropConnections();
    await page.getByRole("button", { name: "Reconnecting" }).waitFor();
    const note = page.getByRole("status").filter({ hasText: "Not up to date since" });
    await note.waitFor();
    expect(await page.getByRole("link", { name: "rev_1", exact: true }).isVisible()).toBe(true);
    await world.publish("rev_2");
    await world.settled();
    await page.unroute("**/console/api/events");
    await page.getByRole("button", { name: "Live", exact: true }).waitFor();
    await page.getByRole("link", { name: "rev_2", exact: true }).waitFor();
    await expect.poll(() => note.count(), within10s).toBe(0);
  });

  it("a user can pause it", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await signInToWebhooks(page);
    await createWebhook(page, `${world.origin}/hook`);
    await publishMany(world, 1);
    await openSection(page, "Deliveries");
    await page.getByRole("link", { name: "rev_1", exact: true }).waitFor();
    await page.getByRole("button", { name: "Live", exact: true }).click();
    await world.publish("rev_2");
    await world.settled();
    expect(await page.getByRole("link", { name: "rev_2", exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Paused", exact: true }).click();
    await page.getByRole("link", { name: "rev_2", exact: true }).waitFor();
  });
});
