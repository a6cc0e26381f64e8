import { describe, expect, it } from "vitest";
import { openDeliveryPage } from "../support/console-screens.ts";
import { hasBrowser } from "../support/open-browser.ts";
import { prepareVisits } from "../support/visit-console.ts";

describe.runIf(hasBrowser)("a delivery as evidence", { timeout: 120_000 }, () => {
  const visit = prepareVisits({ retryDelaysSeconds: [] });

  it("is shared by a link that works without a sign-in, until it is revoked", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    await world.createWebhook("/hook?token=of-the-owner");
    world.answerWith(503);
    await world.publish("rev_shared");
    await world.settled();
    await open("deliveries");
    await openDeliveryPage(page, "rev_shared");
    await page.getByRole("button", { name: "Share" }).click();
    const dialog = page.getByRole("dialog", { name: "Share this delivery" });
    await dialog.getByLabel("The link works for").selectOption("1 day");
    await dialog.getByRole("button", { name: "Create link" }).click();
    const url = (await dialog.locator(".command-line code").textContent()) ?? "";
    const link = dialog.getByRole("list", { name: "Links that work" }).getByRole("listitem");
    await expect.poll(() => link.count()).toBe(1);

    const browser = page.context().browser();
    const context = await browser?.newContext({ timezoneId: "Asia/Kolkata" });
    const other = await context?.newPage();
    if (context === undefined || other === undefined) throw new Error("there is no browser");
    const requested: string[] = [];
    other.on("request", (request) => requested.push(request.url()));
    await other.goto(url);
    await other.getByText("This link shows one delivery, read-only").waitFor();
    const attempt = other.getByRole("region", { name: "Attempt 1" });
    await other.getByRole("region", { name: "Result" }).getByText("answered 503").waitFor();
    await attempt.getByRole("radio", { name: "Headers" }).check();
    await expect.poll(() => attempt.textContent()).toMatch(/X-Service-Signature\s*v1=[0-9a-f]{8}…/u);
    expect(await attempt.getByRole("radio", { name: "Signature" }).count()).toBe(0);
    expect(await other.textContent("body")).not.toContain("of-the-owner");
    // Both sides compare its times with their logs.
    await other.getByText(/^Asia\/(?:Kolkata|Calcutta)$/u).waitFor();
    expect(await other.getByRole("button", { name: "Resend" }).count()).toBe(0);
    expect(requested.filter((each) => new URL(each).pathname.includes("/v1/"))).toEqual([]);

    await link.getByRole("button", { name: /^Revoke/u }).click();
    await expect.poll(() => link.count()).toBe(0);
    await other.reload();
    await other.getByText("The link shows nothing: it is wrong, has expired or was revoked.").waitFor();
    await context.close();
    expect(complaints).toEqual([]);
  });

  it("is compared with what the endpoint received, pasted or as a file", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    await world.createWebhook("/hook");
    await world.publish("rev_compared");
    await world.settled();
    const body = world.received[0]?.body.toString() ?? "";
    await open("deliveries");
    await openDeliveryPage(page, "rev_compared");
    const attempt = page.getByRole("region", { name: "Attempt 1" });
    await attempt.getByRole("radio", { name: "Compare" }).check();
    const field = attempt.getByLabel("What your endpoint received");
    const compare = attempt.getByRole("button", { name: "Compare" });
    await field.fill(JSON.stringify(JSON.parse(body), null, 2));
    await compare.click();
    await attempt.getByText("The body was parsed and serialised again.").waitFor();
    await attempt.getByText("The first different byte is byte 1 of the body: line 1, column 2.").waitFor();
    expect(await attempt.locator("mark").allTextContents()).toEqual(['"', "␊"]);
    const buffer = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(body)]);
    const file = { name: "body.json", mimeType: "application/json", buffer };
    await attempt.getByLabel("Or a file with it").setInputFiles(file);
    await compare.click();
    await attempt.getByText("taken without the byte order mark").waitFor();
    expect(await attempt.locator("mark").allTextContents()).toEqual(["{", "⟨U+FEFF⟩"]);
    expect(complaints).toEqual([]);
  });

  it("says that a copied request is too old, and how it is signed again", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    await world.createWebhook("/hook");
    const [id = ""] = await world.publish("rev_old");
    await world.settled();
    await open("deliveries");
    await openDeliveryPage(page, "rev_old");
    const note = page.getByText("receivers refuse its timestamp");
    await page.getByRole("button", { name: "Copy as cURL" }).waitFor();
    expect(await note.count()).toBe(0);
    await page.clock.setSystemTime(Date.now() + 6 * 60_000);
    await page.reload();
    await note.click();
    const command = page.locator(".sign-again .command-line code");
    await expect.poll(() => command.textContent()).toContain(` replay ${id} --attempt 1 --curl`);
    for (const width of [390, 1_440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
    expect(complaints).toEqual([]);
  });
});
