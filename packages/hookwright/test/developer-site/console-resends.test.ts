import { describe, expect, it } from "vitest";
import { hasBrowser, intercept } from "../support/open-browser.ts";
import type { World } from "../support/open-console.ts";
import { prepareVisits } from "../support/visit-console.ts";

describe.runIf(hasBrowser)("the resends in the console", { timeout: 120_000 }, () => {
  // Without a worker, jobs run until they are stopped.
  const visit = prepareVisits({ role: "api" });

  const start = ({ hookwright, account }: World) =>
    hookwright.resends.start(account, { filter: { statuses: ["failed"] } });

  it("show their status while it changes, and are stopped", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    const [first] = [await start(world), await start(world)];
    await open("deliveries/resends");
    const status = page.getByRole("status");
    await status.getByText("2 running.").waitFor();
    await world.hookwright.resends.stop(world.account, first.id);
    await status.getByText("1 running.").waitFor();
    await page.getByRole("button", { name: /^Stop the resend of/u }).click();
    await status.getByText("No resend is running.").waitFor();
    await expect.poll(() => page.getByRole("row").getByText("Stopped").count()).toBe(2);
    expect(complaints).toEqual([]);
  });

  it("ends quietly if a job that is stopped has just ended", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    const job = await start(world);
    await open("deliveries/resends");
    const stop = page.getByRole("button", { name: /^Stop the resend of/u });
    await stop.waitFor();
    await intercept(page, "**/console/api/resends/*/stop", async (route) => {
      await world.hookwright.resends.stop(world.account, job.id);
      await route.continue();
    });
    await stop.click();
    await page.getByRole("status").getByText("No resend is running.").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    // The browser logs each refused request.
    expect(complaints.filter((complaint) => !complaint.includes("409"))).toEqual([]);
  });

  it("are loaded page by page, and a running one does not close the further pages", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    for (let job = 0; job < 60; job++)
      await world.hookwright.resends.stop(world.account, (await start(world)).id);
    await start(world);
    await open("deliveries/resends");
    const rows = page.locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(50);
    await page.getByRole("button", { name: "Load more" }).click();
    await expect.poll(() => rows.count()).toBe(61);
    const polls = page.waitForRequest(/console\/api\/resends/u, { timeout: 3_000 }).catch(() => "none");
    expect(await polls).toBe("none");
    expect(await rows.count()).toBe(61);
  });
});
