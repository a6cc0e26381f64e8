import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hiddenOf, listOf } from "../support/measure-console.ts";
import { exportAs } from "../support/console-screens.ts";
import { hasBrowser } from "../support/open-browser.ts";
import type { World } from "../support/open-console.ts";
import { askToDelete, openPart, pauseLive, prepareVisits, publishMany } from "../support/visit-console.ts";

/** Creates webhooks with these paths. Returns their ids. */
async function createWebhooks(world: World, ...paths: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const path of paths) ids.push((await world.createWebhook(path)).id);
  return ids;
}

const statusesOf = async (world: World): Promise<Readonly<Record<string, unknown>>> =>
  Object.fromEntries(
    (await world.ask("GET /console/api/webhooks")).rows.map(({ target_url, status }) => [
      new URL(String(target_url)).pathname,
      status,
    ]),
  );

/** Chooses an action of a row with the keyboard. */
async function choose(page: Page, path: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for /${path}` }).press("Enter");
  const item = page.getByRole("menuitem", { name: action });
  // The menu focuses its first item after it has opened.
  await page.getByRole("menuitem").and(page.locator(":focus")).waitFor();
  while (!(await item.evaluate((element) => element === document.activeElement)))
    await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
}

const rowOf = (page: Page, path: string): Locator => page.getByRole("row").filter({ hasText: `/${path}` });

describe.runIf(hasBrowser)("the list of webhooks", { timeout: 120_000 }, () => {
  const visit = prepareVisits();

  it("shows webhooks with several events, and with all of them", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    const create = (path: string, events: readonly string[]) =>
      world.ask("POST /console/api/webhooks", { events, target_url: `${world.origin}/${path}` });
    await create("three", ["order.paid", "review.submitted", "booking.created"]);
    const { data } = await create("all", ["*"]);
    await open("webhooks");
    await rowOf(page, "three").getByText("booking.created and 2 more").waitFor();
    await rowOf(page, "all").getByText("All events").waitFor();
    for (const width of [768, 1_024, 1_101, 1_200, 1_440]) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await hiddenOf(listOf(page))]).toEqual([width, 0]);
    }
    await open(`webhooks/${String(data["id"])}`);
    await page.getByText("All events").first().waitFor();
    expect(complaints).toEqual([]);
  });

  it("groups the webhooks of one URL below it, and shows those that never accepted anything as unverified", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    const create = (path: string, events: readonly string[], more: object = {}) =>
      world.createWebhook(path, { event: undefined, events, ...more });
    await create("/shop", ["order.created"]);
    const alone = await create("/alone", ["order.created"]);
    await create("/shop", ["order.paid", "review.submitted"], { name: "Warehouse" });
    await create("/shop", ["*"], { paused: true });
    await world.ask(`POST ${alone.path}/test`);
    await open("webhooks");
    await page.getByRole("rowheader").waitFor();
    const table = page.getByRole("table");
    await table.getByRole("columnheader", { name: "Events" }).waitFor();
    const { host } = new URL(world.origin);
    await expect.poll(() => page.getByRole("rowheader").allTextContents()).toEqual([`/shop ${host}`]);
    const rows = await table.locator("tbody tr").allTextContents();
    const at = rows.findIndex((text) => text === `/shop ${host}`);
    expect(rows.slice(at + 1, at + 4).toSorted()).toEqual([
      expect.stringMatching(/^All events.*Unverified, paused/u),
      expect.stringMatching(/^Warehouse.*order\.paid and 1 more.*Unverified/u),
      expect.stringMatching(/^order\.created.*Unverified/u),
    ]);
    await table.getByRole("row", { name: "/alone" }).getByText("Active").waitFor();
    await table.getByRole("link", { name: "Warehouse" }).click();
    await page.getByRole("heading", { name: "Warehouse", exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("asks which of several events is tested, edits the events, and names them before a removal", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    const events = ["order.created", "review.submitted"];
    const { id, path } = await world.createWebhook("/hook", { event: undefined, events });
    await open("webhooks");
    await choose(page, "hook", "Send test");
    const asked = page.getByRole("dialog", { name: "Send a test" });
    await asked.getByLabel("Event of the test").selectOption("review.submitted");
    await asked.getByRole("button", { name: "Send test" }).click();
    const result = page.getByRole("dialog", { name: "Test: 204, accepted" });
    await result.getByRole("button", { name: "Close" }).click();
    await open(`webhooks/${id}`);
    await page.getByRole("button", { name: "Send test" }).click();
    await asked.getByRole("button", { name: "Send test" }).click();
    await result.getByRole("button", { name: "Close" }).click();
    const sent = world.received.map(({ headers }) => headers["x-service-event"]);
    expect(sent).toEqual(["review.submitted", "order.created"]);

    const line = page.locator(".webhook-line");
    for (const event of events) await line.getByText(event, { exact: true }).waitFor();
    await openPart(page, "Settings");
    const edit = page.getByRole("form", { name: "Settings of the webhook" });
    const box = (name: RegExp) => edit.getByRole("checkbox", { name });
    await box(/^All events/u).check();
    expect(await box(/order\.paid/u).isDisabled()).toBe(true);
    await box(/^All events/u).uncheck();
    await box(/order\.created/u).uncheck();
    await box(/review\.submitted/u).uncheck();
    expect(await edit.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    await box(/order\.paid/u).check();
    await box(/review\.submitted/u).check();
    await edit.getByRole("button", { name: "Save" }).click();
    await line.getByText("order.paid", { exact: true }).waitFor();
    expect((await world.ask(`GET ${path}`)).data["events"]).toEqual(["order.paid", "review.submitted"]);
    await askToDelete(page);
    const removal = page.getByRole("dialog", { name: "Delete this webhook?" });
    await removal.getByText("order.paid, review.submitted").waitFor();
    expect(complaints).toEqual([]);
  });

  it("has a menu for each row: test, pause, resume, copy, delete", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    await createWebhooks(world, "one", "two");
    await open("webhooks");
    await choose(page, "one", "Send test");
    await page
      .getByRole("dialog", { name: "Send a test" })
      .getByRole("button", { name: "Send test" })
      .click();
    const result = page.getByRole("dialog", { name: "Test: 204, accepted" });
    await result.getByRole("button", { name: "Close" }).click();
    const button = page.getByRole("button", { name: "Actions for /one" });
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
    await choose(page, "one", "Pause");
    await page.getByRole("button", { name: "Pause webhook" }).click();
    await rowOf(page, "one").getByText("Paused").waitFor();
    await button.click();
    await expect.poll(() => page.getByRole("menuitem", { name: "Send test" }).isDisabled()).toBe(true);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("menuitem").count()).toBe(0);
    await choose(page, "one", "Resume");
    await rowOf(page, "one").getByText("Active").waitFor();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await choose(page, "two", "Copy URL");
    await page.getByText("Copied.").waitFor();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`${world.origin}/two`);
    await choose(page, "two", "Delete");
    await page.getByRole("button", { name: "Delete webhook" }).click();
    await rowOf(page, "two").waitFor({ state: "detached" });
    expect(await statusesOf(world)).toEqual({ "/one": "active" });
    expect(complaints).toEqual([]);
  });

  it("saves the webhooks of the view as a file", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    const [, two = ""] = await createWebhooks(world, "one", "two");
    await world.ask(`POST /console/api/webhooks/${two}/pause`);
    await open("webhooks?view=paused");
    await rowOf(page, "two").waitFor();
    const [saved] = await Promise.all([page.waitForEvent("download"), exportAs(page, "NDJSON")]);
    const lines = (await readFile(await saved.path(), "utf8")).trimEnd().split("\n");
    expect([saved.suggestedFilename(), lines.map((line) => JSON.parse(line).id)]).toEqual([
      "webhooks.ndjson",
      [two],
    ]);
    // Without its ids, an empty view would save all webhooks.
    await world.ask(`POST /console/api/webhooks/${two}/resume`);
    await page.getByText("None.").waitFor();
    expect(await page.getByRole("button", { name: /^Export/u, disabled: false }).count()).toBe(0);
  });

  it("turns on several webhooks, and sends each what it missed", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    for (const id of await createWebhooks(world, "/one", "/two"))
      await world.hookwright.webhooks.pause(world.account, id);
    await world.publish("rev_1");
    await open("webhooks");
    await page.getByLabel("Select all rows that are shown").check();
    await page.getByRole("button", { name: "Turn on and recover" }).click();
    const dialog = page.getByRole("dialog", { name: "Turn on and recover?" });
    await dialog.getByText("since it was paused or disabled: 2 in all").waitFor();
    await dialog.getByRole("button", { name: "Turn on and recover" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("2 turned on. 2 are being sent again.").waitFor();
    await expect.poll(() => world.received.length).toBe(2);
    expect(await statusesOf(world)).toEqual({ "/one": "active", "/two": "active" });
  });

  it("changes several webhooks at once, each action those whose status allows it", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    const [, two = ""] = await createWebhooks(world, "one", "two", "three");
    await world.ask(`POST /console/api/webhooks/${two}/pause`);
    await open("webhooks");
    await page.getByLabel("Select all rows that are shown").check();
    const bar = page.getByRole("group", { name: "Selected webhooks" });
    await expect
      .poll(() => bar.getByRole("button").allTextContents())
      .toEqual(["Pause 2", "Resume 1", "Turn on and recover 1", "Delete", "Clear"]);
    await bar.getByRole("button", { name: "Pause 2" }).click();
    const dialog = page.getByRole("dialog", { name: "Pause these 2 webhooks?" });
    await expect.poll(() => dialog.getByRole("listitem").count()).toBe(2);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await statusesOf(world)).toMatchObject({ "/one": "active", "/three": "active" });
    await bar.getByRole("button", { name: "Pause 2" }).click();
    await dialog.getByRole("button", { name: "Pause" }).click();
    await page.getByText("2 of 2 paused.").waitFor();
    await bar.waitFor({ state: "detached" });
    expect(await statusesOf(world)).toEqual({ "/one": "paused", "/two": "paused", "/three": "paused" });
    await rowOf(page, "one").getByText("Paused").waitFor();
  });

  it("names the webhooks that refuse an action", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    const [, two = ""] = await createWebhooks(world, "one", "two");
    await open("webhooks");
    await pauseLive(page);
    await page.getByLabel("Select all rows that are shown").check();
    await world.ask(`POST /console/api/webhooks/${two}/pause`);
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
    const result = page.getByRole("dialog", { name: "1 of 2 not paused" });
    await expect
      .poll(() => result.getByRole("listitem").allTextContents())
      .toEqual([expect.stringMatching(/^\/two .*review\.submitted.*paused/u)]);
    expect(await statusesOf(world)).toEqual({ "/one": "paused", "/two": "paused" });
  });

  it("shows when and why webhooks were removed, and their deliveries", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    const [one = ""] = await createWebhooks(world, "one");
    await publishMany(world, 1);
    await open("webhooks");
    const tab = page.getByRole("link", { name: /^Removed/u });
    await tab.filter({ hasText: "0" }).click();
    await page.getByText("No webhook was removed in the last 30 days.").waitFor();
    await world.ask(`DELETE /console/api/webhooks/${one}`);
    await tab.filter({ hasText: "1" }).waitFor();
    const row = rowOf(page, "one");
    await row.getByText("somebody deleted it").waitFor();
    await expect.poll(() => row.getByRole("time").count()).toBe(1);
    await row.getByRole("link", { name: "Show" }).click();
    await page.getByRole("heading", { name: "Deliveries", level: 1 }).waitFor();
    await page.getByRole("link", { name: "rev_1" }).waitFor();
  });

  it("sorts by a column, and the address keeps it", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    for (const name of ["Beta", "Alpha", "Gamma"]) await world.createWebhook(`/${name}`, { name });
    await open("webhooks");
    const names = () => page.locator("tbody .row-link bdi").allTextContents();
    const header = page.getByRole("columnheader", { name: "Webhook" });
    await header.getByRole("button").click();
    await expect.poll(names).toEqual(["Gamma", "Beta", "Alpha"]);
    expect(await header.getAttribute("aria-sort")).toBe("descending");
    await header.getByRole("button").click();
    await expect.poll(names).toEqual(["Alpha", "Beta", "Gamma"]);
    expect(await header.getAttribute("aria-sort")).toBe("ascending");
    expect(new URL(page.url()).hash).toContain("sort=Webhook");
    await page.reload();
    await expect.poll(names).toEqual(["Alpha", "Beta", "Gamma"]);
    await header.getByRole("button").click();
    await expect.poll(() => header.getAttribute("aria-sort")).toBe(null);
  });

  it("the activity names what was changed and who did it, and links to it", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    const [one = ""] = await createWebhooks(world, "one");
    await world.ask(`PATCH /console/api/webhooks/${one}`, { name: "Warehouse" });
    await open("activity");
    await page.getByRole("row", { name: /^The account owner created the webhook Warehouse/u }).waitFor();
    await page.getByRole("row", { name: "The host program created the account" }).waitFor();
    await page.getByLabel("Who").selectOption("The host program");
    await expect.poll(() => page.getByRole("row", { name: /account owner/u }).count()).toBe(0);
    await page.getByLabel("Who").selectOption("all");
    await page.getByLabel("Time", { exact: true }).selectOption("In the last hour");
    await page.setViewportSize({ width: 360, height: 740 });
    const row = page.getByRole("row").filter({ hasText: "owner created" });
    await row.getByRole("link", { name: "Warehouse" }).click();
    await page.getByRole("heading", { name: "Warehouse" }).waitFor();
    expect(new URL(page.url()).hash).toBe(`#/webhooks/${one}`);
  });
});
