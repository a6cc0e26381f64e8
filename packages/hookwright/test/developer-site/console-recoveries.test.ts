import { createServer } from "node:http";
import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { listenLocally } from "../support/listen-locally.ts";
import { hasBrowser } from "../support/open-browser.ts";
import {
  createWebhook,
  openNewWebhook,
  prepareVisits,
  publishMany,
  signInToWebhooks,
  webhookLink,
} from "../support/visit-console.ts";
import type { Visit } from "../support/visit-console.ts";

/** The path of the account's only webhook in the API. */
async function pathOfWebhook({ world }: Visit): Promise<string> {
  const { rows } = await world.ask("GET /console/api/webhooks");
  return `/console/api/webhooks/${String(rows[0]?.["id"])}`;
}

async function openDialog({ page }: Visit): Promise<Locator> {
  await page.getByRole("button", { name: "Start a recovery" }).click();
  return page.getByRole("dialog", { name: "Send again" });
}

interface SlowReceiver extends AsyncDisposable {
  readonly url: string;
  /** Accepts all deliveries, those that wait and those that follow. */
  release(): void;
}

/** A receiver that does not respond until it is released. */
async function openSlowReceiver(): Promise<SlowReceiver> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    request.resume();
    await released;
    response.writeHead(204).end();
  });
  const local = await listenLocally(server);
  return {
    url: `${local.origin}/slow`,
    release,
    async [Symbol.asyncDispose]() {
      release();
      await local[Symbol.asyncDispose]();
    },
  };
}

/** Opens a webhook that missed 600 events, because it was paused. Only 500 are sent before the first response. */
async function missEvents(visited: Visit, { url }: SlowReceiver): Promise<void> {
  const { world, page } = visited;
  await signInToWebhooks(page);
  await createWebhook(page, url);
  await webhookLink(page, url).click();
  await page.getByRole("button", { name: "Start a recovery" }).waitFor();
  const path = await pathOfWebhook(visited);
  await world.ask(`POST ${path}/pause`);
  await Promise.all(Array.from({ length: 600 }, (_, index) => world.publish(`rev_missed_${index}`)));
  await world.ask(`POST ${path}/resume`);
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
  const visit = prepareVisits();

  it("starts a recovery in a dialog and shows its result", async () => {
    await using visited = await visit({ retryDelaysSeconds: [] });
    const { page, world, complaints } = visited;
    await signInToWebhooks(page);
    await openNewWebhook(visited);
    world.answerWith(500);
    await publishMany(world, 3);
    await expect
      .poll(async () => (await world.ask("GET /console/api/deliveries?status=failed")).rows)
      .toHaveLength(3);
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
    const listed = await world.ask(`GET ${await pathOfWebhook(visited)}/recoveries`);
    expect(listed.rows).toMatchObject([{ statuses: ["failed"], missed: false, found: 3, resent: 3 }]);
    expect(complaints).toEqual([]);
  });

  it("sends the times of the browser's time zone, and shows the problem of a time at its field", async () => {
    await using visited = await visit();
    const { page } = visited;
    const browser = await page.context().newCDPSession(page);
    await browser.send("Emulation.setTimezoneOverride", { timezoneId: "Asia/Tokyo" });
    await signInToWebhooks(page);
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
  });

  it("shows the progress of a running recovery until it has finished", async () => {
    await using visited = await visit({ attemptTimeoutSeconds: 60 });
    await using receiver = await openSlowReceiver();
    const { page } = visited;
    await missEvents(visited, receiver);
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
    receiver.release();
    await page.getByRole("cell", { name: "600 of 600" }).waitFor({ timeout: 30_000 });
    await page.getByRole("cell", { name: "finished" }).waitFor();
    await expect.poll(() => page.locator("progress").count()).toBe(0);
    await expect.poll(() => page.getByRole("button", { name: "Stop" }).count()).toBe(0);
    await expect.poll(() => page.getByRole("button", { name: "Start a recovery" }).isDisabled()).toBe(false);
  });

  it("stops a running recovery, and its row keeps the focus", async () => {
    await using visited = await visit({ attemptTimeoutSeconds: 60 });
    await using receiver = await openSlowReceiver();
    const { page } = visited;
    await missEvents(visited, receiver);
    await recoverEverything(visited);
    await page.getByRole("cell", { name: "500 of 600" }).waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Start a recovery" }).isDisabled()).toBe(true);
    const stop = page.getByRole("button", { name: "Stop" });
    await stop.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("cell", { name: "stopped" }).waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Start a recovery" }).isDisabled()).toBe(false);
    await expect.poll(() => page.locator("tr:focus").textContent()).toContain("500 of 600");
  });

  it("says that another recovery runs, and shows it behind the dialog", async () => {
    await using visited = await visit({ attemptTimeoutSeconds: 60 });
    await using receiver = await openSlowReceiver();
    const { page, world } = visited;
    await missEvents(visited, receiver);
    const dialog = await openDialog(visited);
    const path = await pathOfWebhook(visited);
    const other = await world.ask(`POST ${path}/recoveries`, { since: "2020-01-01T00:00:00Z", missed: true });
    expect(other.status).toBe(201);
    await dialog.getByRole("button", { name: "Send again" }).click();
    await expect.poll(() => dialog.getByRole("alert").textContent()).toContain("of this webhook is running");
    await page.keyboard.press("Escape");
    await page.getByRole("cell", { name: "running" }).waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor();
  });

  it("returns the focus when the dialog is closed with the keyboard", async () => {
    await using visited = await visit();
    const { page } = visited;
    await signInToWebhooks(page);
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
