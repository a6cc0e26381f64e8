import { describe, expect, it } from "vitest";
import { hasBrowser } from "../support/open-browser.ts";
import { openNewWebhook, prepareVisits, publishMany, signIn, within10s } from "../support/visit-console.ts";

describe.runIf(hasBrowser)("recoveries in the console", { timeout: 60_000 }, () => {
  const visit = prepareVisits();

  it("starts a recovery in a dialog and shows its result", async () => {
    await using visited = await visit({ retryDelaysSeconds: [] });
    const { page, world, complaints } = visited;
    await signIn(page);
    await openNewWebhook(visited);
    world.answerWith(500);
    await publishMany(world, 3);
    await expect
      .poll(async () => (await world.ask("GET /console/api/deliveries?status=failed")).rows)
      .toHaveLength(3);
    world.answerWith(204);
    await page.getByRole("button", { name: "Start a recovery" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Since").fill("2099-01-01T00:00:00");
    await dialog.getByRole("button", { name: "Send again" }).click();
    expect(await dialog.getByRole("alert").textContent()).toContain("Since must not be in the future");
    await dialog.getByLabel("Since").fill("2020-01-01T00:00:00");
    await dialog.getByLabel("Deliveries that were cancelled").uncheck();
    await dialog.getByRole("button", { name: "Send again" }).click();
    await page.getByRole("cell", { name: "finished" }).waitFor(within10s);
    await page.getByRole("cell", { name: "3 of 3" }).waitFor(within10s);
    expect(world.received).toHaveLength(6);
    const { rows } = await world.ask("GET /console/api/webhooks");
    const listed = await world.ask(`GET /console/api/webhooks/${String(rows[0]?.["id"])}/recoveries`);
    expect(listed.rows).toMatchObject([{ statuses: ["failed"], missed: false, found: 3, resent: 3 }]);
    expect(complaints).toEqual([]);
  });

  it("shows the progress of a running recovery and stops it", async () => {
    await using visited = await visit({ retryDelaysSeconds: [] });
    const { page, world } = visited;
    await signIn(page);
    await openNewWebhook(visited);
    const { rows } = await world.ask("GET /console/api/webhooks");
    const path = `POST /console/api/webhooks/${String(rows[0]?.["id"])}`;
    await world.ask(`${path}/pause`);
    await Promise.all(Array.from({ length: 600 }, (_, index) => world.publish(`rev_missed_${index}`)));
    await world.ask(`${path}/resume`);
    world.answerWith("nothing");
    await page.getByRole("button", { name: "Start a recovery" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Since").fill("2020-01-01T00:00:00");
    await dialog.getByLabel("Events that happened while the webhook was paused or switched off").check();
    await dialog.getByRole("button", { name: "Send again" }).click();
    await page.getByRole("cell", { name: "500 of 600" }).waitFor(within10s);
    expect(await page.getByRole("button", { name: "Start a recovery" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("cell", { name: "stopped" }).waitFor(within10s);
    expect(await page.getByRole("button", { name: "Start a recovery" }).isDisabled()).toBe(false);
    // The endpoint answers nothing more, and the shutdown need not wait for it.
    await world.ask(path.replace("POST", "DELETE"));
  });
});
