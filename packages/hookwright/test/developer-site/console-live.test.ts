import { describe, expect, it } from "vitest";
import { openDelivery, openSection } from "../support/console-screens.ts";
import { hasBrowser } from "../support/open-browser.ts";
import { createWebhook, prepareVisits, publishMany, signInToWebhooks } from "../support/visit-console.ts";

describe.runIf(hasBrowser)("what changes by itself in the console", { timeout: 120_000 }, () => {
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
    await expect.poll(() => tile.textContent()).toBe("1");
    await world.publish("rev_2");
    await expect.poll(() => tile.textContent()).toBe("2");
    expect(complaints).toEqual([]);
  });

  it("a shown row and an open delivery follow their attempts", async () => {
    await using visited = await visit({ retryDelaysSeconds: [8, 3_600] });
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
    await drawer
      .getByRole("listitem")
      .filter({ hasText: /^Next attempt in \d+ s · 2 of 6$/u })
      .waitFor();
    await drawer.getByRole("button", { name: "Attempt 2" }).waitFor();
    await drawer
      .getByRole("listitem")
      .filter({ hasText: /^Delivered$/u })
      .waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => row.locator(".status").textContent()).toContain("Delivered");
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
    await expect.poll(() => page.getByRole("link", { name: "rev_late" }).count()).toBe(0);
    await more.click();
    await page.getByRole("link", { name: "rev_late" }).waitFor();
    await expect.poll(() => more.count()).toBe(0);
  });

  it("a burst leaves the open list right, and a scrolled one says that it is outdated", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await signInToWebhooks(page);
    await createWebhook(page, `${world.origin}/hook`);
    await openSection(page, "Deliveries");
    await page.getByText("No deliveries yet.").waitFor();
    const burst = (name: string, count: number) =>
      Promise.all(Array.from({ length: count }, (_, index) => world.publish(`${name}_${index + 1}`)));
    await burst("rev", 500);
    await page
      .getByRole("navigation", { name: "Status" })
      .getByRole("link", { name: "Delivered 500" })
      .waitFor();
    const statuses = page.getByRole("table").getByRole("row").locator(".status");
    await expect.poll(() => statuses.allTextContents()).toHaveLength(25);
    await expect.poll(async () => new Set(await statuses.allTextContents())).toEqual(new Set(["●Delivered"]));
    const newest = async (): Promise<unknown> => {
      const { rows } = await world.ask("GET /console/api/deliveries");
      return rows.map(({ record_id }) => record_id);
    };
    const shown = () =>
      page
        .getByRole("table")
        .getByRole("link", { name: /^(?:rev|late)_/u })
        .allTextContents();
    await expect.poll(shown).toEqual(await newest());
    await statuses.last().scrollIntoViewIfNeeded();
    await burst("late", 500);
    const more = page.getByRole("button", { name: /new/u });
    await more.click();
    await expect.poll(shown).toEqual(await newest());
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
    await expect.poll(() => page.getByRole("link", { name: "rev_1", exact: true }).isVisible()).toBe(true);
    await world.publish("rev_2");
    await world.settled();
    await page.unroute("**/console/api/events");
    await page.getByRole("button", { name: "Live", exact: true }).waitFor();
    await page.getByRole("link", { name: "rev_2", exact: true }).waitFor();
    await expect.poll(() => note.count()).toBe(0);
  });

  it("notices a connection on which nothing arrives any more", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await page.clock.install();
    await signInToWebhooks(page);
    await createWebhook(page, `${world.origin}/hook`);
    await openSection(page, "Deliveries");
    const live = page.getByRole("button", { name: "Live", exact: true });
    await live.waitFor();
    visited.silenceConnections();
    await world.publish("rev_1");
    await world.settled();
    // The clock of the page also runs by itself, on a busy machine for seconds.
    await page.clock.fastForward(30_000);
    await expect.poll(() => live.isVisible()).toBe(true);
    await page.clock.fastForward(11_000);
    await page.getByRole("button", { name: "Reconnecting" }).waitFor();
    visited.dropConnections();
    await live.waitFor();
    await page.getByRole("link", { name: "rev_1", exact: true }).waitFor();
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
    await expect.poll(() => page.getByRole("link", { name: "rev_2", exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Paused", exact: true }).click();
    await page.getByRole("link", { name: "rev_2", exact: true }).waitFor();
  });
});
