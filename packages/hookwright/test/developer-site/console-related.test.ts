import { describe, expect, it } from "vitest";
import { hasBrowser } from "../support/open-browser.ts";
import { prepareVisits } from "../support/visit-console.ts";

describe.runIf(hasBrowser)("the other deliveries of an event", { timeout: 120_000 }, () => {
  const visit = prepareVisits({ retryDelaysSeconds: [] });

  it("are rows with status, webhook, answer and time, and come by themselves", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    const { id } = await world.createWebhook("/hook", { name: "Warehouse" });
    await world.createWebhook("/other");
    world.answerWith(503);
    await world.publish("rev_1");
    await world.settled();
    const { rows } = await world.ask(`GET /console/api/deliveries?webhook_id=${id}`);
    const first = String(rows[0]?.["id"]);
    await open(`deliveries/${first}`);
    const others = page.getByRole("table", { name: /^Other deliveries of this event/u });
    const row = others.getByRole("row");
    await row.filter({ hasText: "Other webhook" }).filter({ hasText: "/other" }).waitFor();
    world.answerWith(204);
    await world.ask(`POST /console/api/deliveries/${first}/resend`);
    const again = row.filter({ hasText: "Sent again" }).filter({ hasText: "Warehouse" });
    await again.filter({ hasText: "Delivered" }).filter({ hasText: "204" }).waitFor();
    await again.getByRole("link").click();
    const origin = row.filter({ hasText: "Sent first" });
    await origin.filter({ hasText: "503" }).getByRole("link").click();
    await expect.poll(() => page.url()).toMatch(new RegExp(`${first}$`, "u"));
    expect(complaints).toEqual([]);
  });
});

describe.runIf(hasBrowser)("an issue", { timeout: 120_000 }, () => {
  const visit = prepareVisits({ retryDelaysSeconds: [] });

  it("sends again exactly its deliveries", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    await world.createWebhook("/hook");
    for (const [status, record] of [
      [503, "rev_1"],
      [503, "rev_2"],
      [404, "rev_3"],
    ] as const) {
      world.answerWith(status);
      await world.publish(record);
      await world.settled();
    }
    world.answerWith(204);
    await open("");
    const issues = page.getByRole("region", { name: "Issues" }).getByRole("listitem");
    await issues.filter({ hasText: "503" }).getByRole("button", { name: "Actions for the issue" }).click();
    await page.getByRole("menuitem", { name: "Resend these …" }).click();
    const dialog = page.getByRole("dialog", { name: "Send these 2 deliveries again?" });
    await dialog.getByRole("button", { name: "Resend" }).click();
    await page.getByText("2 are being sent again.").waitFor();
    const resent = async () =>
      (await world.ask("GET /console/api/deliveries?kind=resend&status=delivered")).rows.map(
        ({ record_id }) => record_id,
      );
    await expect.poll(async () => (await resent()).toSorted()).toEqual(["rev_1", "rev_2"]);
    expect(complaints).toEqual([]);
  });
});
