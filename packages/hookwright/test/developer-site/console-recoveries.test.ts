import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hasBrowser } from "../support/open-browser.ts";
import { openNewWebhook, prepareVisits, publishMany } from "../support/visit-console.ts";
import type { Visit } from "../support/visit-console.ts";

async function openDialog({ page }: Visit): Promise<Locator> {
  await page.getByRole("button", { name: "Start a recovery" }).click();
  return page.getByRole("dialog", { name: "Send again" });
}

/**
 * Opens a webhook that missed 600 events, because it was paused. Only 500 are sent before the first response, for which its endpoint
 * waits. Returns its path in the API.
 */
async function missEvents(visited: Visit): Promise<string> {
  const { world } = visited;
  world.answerWith("nothing");
  const { path } = await openNewWebhook(visited);
  await world.ask(`POST ${path}/pause`);
  await Promise.all(Array.from({ length: 600 }, (_, index) => world.publish(`rev_missed_${index}`)));
  await world.ask(`POST ${path}/resume`);
  return path;
}

/** Starts a recovery of everything since 2020. */
async function recoverEverything(visited: Visit): Promise<void> {
  const dialog = await openDialog(visited);
  await dialog.getByLabel("Since").fill("2020-01-01T00:00:00");
  await dialog.getByLabel("Events that happened while the webhook was paused or disabled").check();
  await dialog.getByRole("button", { name: "Send again" }).click();
  await dialog.waitFor({ state: "detached" });
}

describe.runIf(hasBrowser)("recoveries in the console", { timeout: 120_000 }, () => {
  const visit = prepareVisits({ retryDelaysSeconds: [], attemptTimeoutSeconds: 60 });

  it("starts a recovery in a dialog and shows its result", async () => {
    await using visited = await visit();
    const { page, world, complaints } = visited;
    const { path } = await openNewWebhook(visited);
    world.answerWith(500);
    await publishMany(world, 3);
    world.answerWith(204);
    const dialog = await openDialog(visited);
    await dialog.getByLabel("Since").fill("2020-01-01T00:00:00");
    await dialog.getByText("3 deliveries to send again.").waitFor();
    await dialog.getByLabel("Deliveries that failed").uncheck();
    await dialog.getByText("Nothing to send again.").waitFor();
    await dialog.getByLabel("Deliveries that failed").check();
    await dialog.getByLabel("Deliveries that were cancelled").uncheck();
    await dialog.getByText("3 deliveries to send again.").waitFor();
    await dialog.getByRole("button", { name: "Send again" }).click();
    await page.getByRole("cell", { name: "finished" }).waitFor();
    await page.getByRole("cell", { name: "3 of 3" }).waitFor();
    expect(world.received).toHaveLength(6);
    const listed = await world.ask(`GET ${path}/recoveries`);
    expect(listed.rows).toMatchObject([{ statuses: ["failed"], missed: false, found: 3, resent: 3 }]);
    expect(complaints).toEqual([]);
  });

  it("sends the times of the browser's time zone, and shows the problem of a time at its field", async () => {
    await using visited = await visit();
    const { page } = visited;
    const browser = await page.context().newCDPSession(page);
    await browser.send("Emulation.setTimezoneOverride", { timezoneId: "Asia/Tokyo" });
    await openNewWebhook(visited);
    const dialog = await openDialog(visited);
    const [since, until] = [dialog.getByLabel("Since"), dialog.getByLabel("Until")];
    const send = dialog.getByRole("button", { name: "Send again" });
    const problem = dialog.locator(".problem");
    await since.fill("2099-01-01T00:00:00");
    await send.click();
    await expect.poll(() => problem.allTextContents()).toEqual(["Since must not be in the future"]);
    await since.fill("2021-01-01T00:00:00");
    await until.fill("2020-01-01T00:00:00");
    await send.click();
    await expect.poll(() => problem.allTextContents()).toEqual(["Until must be later than since"]);
    await expect.poll(() => until.evaluate((input) => input === document.activeElement)).toBe(true);
    await since.fill("2019-07-01T12:00:00");
    await dialog.getByLabel("Deliveries that failed").uncheck();
    const request = page.waitForRequest("**/recoveries");
    await send.click();
    const [sinceSent, untilSent] = ["2019-07-01T03:00:00.000Z", "2019-12-31T15:00:00.000Z"];
    expect((await request).postDataJSON()).toEqual({
      since: sinceSent,
      until: untilSent,
      statuses: ["cancelled"],
      missed: false,
    });
    const row = page.getByRole("row").filter({ hasText: "0 of 0" });
    await row.waitFor();
    for (const sent of [sinceSent, untilSent])
      await expect.poll(() => row.locator(`time[title="${sent.replace(".000", "")}"]`).count()).toBe(1);
    await expect.poll(() => row.textContent()).toContain("cancelled");

    await page.getByRole("button", { name: /^Account/u }).click();
    await page.getByRole("radio", { name: "UTC" }).check();
    await page.keyboard.press("Escape");
    await openDialog(visited);
    await dialog.getByText("Time zone: UTC.").waitFor();
    await since.fill("2019-07-01T12:00:00");
    const next = page.waitForRequest("**/recoveries");
    await send.click();
    expect((await next).postDataJSON()).toMatchObject({ since: "2019-07-01T12:00:00.000Z" });
  });

  it("shows the progress of a running recovery until it has finished", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await missEvents(visited);
    await recoverEverything(visited);
    await page.getByRole("cell", { name: "500 of 600" }).waitFor();
    await page.getByText("Recovery: 500 of 600 sent.").waitFor();
    await expect
      .poll(() => page.locator("progress").evaluate((bar: HTMLProgressElement) => bar.position))
      .toBeCloseTo(500 / 600);
    for (const width of [1_280, 390]) {
      await page.setViewportSize({ width, height: 860 });
      const [button, table] = [
        page.getByRole("button", { name: "Stop" }),
        page.locator(".table").filter({ has: page.getByRole("progressbar", { includeHidden: true }) }),
      ];
      const [shown, frame] = [await button.boundingBox(), await table.boundingBox()];
      if (shown === null || frame === null) throw new Error("the button or the table is not visible");
      expect(shown.x + shown.width).toBeLessThanOrEqual(frame.x + frame.width);
    }
    world.answerWith(204);
    await page.getByRole("cell", { name: "600 of 600" }).waitFor({ timeout: 30_000 });
    await page.getByRole("cell", { name: "finished" }).waitFor();
    await expect.poll(() => page.locator("progress").count()).toBe(0);
    await expect.poll(() => page.getByRole("button", { name: "Stop" }).count()).toBe(0);
    await expect.poll(() => page.getByRole("button", { name: "Start a recovery" }).isDisabled()).toBe(false);
  });

  it("says that another recovery runs, shows it behind the dialog, and stops it, and its row keeps the focus", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    const path = await missEvents(visited);
    const dialog = await openDialog(visited);
    const other = await world.ask(`POST ${path}/recoveries`, { since: "2020-01-01T00:00:00Z", missed: true });
    expect(other.status).toBe(201);
    await dialog.getByRole("button", { name: "Send again" }).click();
    await expect.poll(() => dialog.getByRole("alert").textContent()).toContain("of this webhook is running");
    await page.keyboard.press("Escape");
    await page.getByRole("cell", { name: "running" }).waitFor();
    await page.getByRole("cell", { name: "500 of 600" }).waitFor();
    const start = page.getByRole("button", { name: "Start a recovery" });
    await expect.poll(() => start.isDisabled()).toBe(true);
    const stop = page.getByRole("button", { name: "Stop" });
    await stop.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("cell", { name: "stopped" }).waitFor();
    await expect.poll(() => start.isDisabled()).toBe(false);
    await expect.poll(() => page.locator("tr:focus").textContent()).toContain("500 of 600");
  });

  it("returns the focus when the dialog is closed with the keyboard", async () => {
    await using visited = await visit();
    const { page } = visited;
    await openNewWebhook(visited);
    const start = page.getByRole("button", { name: "Start a recovery" });
    await start.focus();
    for (const key of ["Escape", "Enter"]) {
      await page.keyboard.press("Enter");
      await page.getByLabel("Since").and(page.locator(":focus")).waitFor();
      await page.keyboard.press(key);
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await expect.poll(() => start.evaluate((button) => button === document.activeElement)).toBe(true);
    }
    await page.getByRole("cell", { name: "0 of 0" }).waitFor();
  });
});
