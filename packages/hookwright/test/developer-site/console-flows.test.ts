import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { verify } from "@hookwright/signature";
import { openDelivery } from "../support/console-screens.ts";
import { hasBrowser } from "../support/open-browser.ts";
import {
  hold,
  openNewWebhook,
  pauseLive,
  prepareVisits,
  publishMany,
  sendTest,
} from "../support/visit-console.ts";

/** Chooses one of a few values that are all visible. */
async function choose(place: Locator, value: string): Promise<void> {
  await place.getByRole("radio", { name: value, exact: true }).check();
}

const ownSecret = "a-secret-of-another-sender";

describe.runIf(hasBrowser)("flows in the console", { timeout: 120_000 }, () => {
  const visit = prepareVisits();

  it("creates a paused webhook for several events, tests it in the same place, and goes live", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    await open("webhooks");
    await page.getByRole("button", { name: "Create webhook" }).click();
    const form = page.getByRole("dialog", { name: "Create a webhook" });
    await form.getByLabel("URL").fill(`${world.origin}/hook`);
    await form.getByRole("checkbox", { name: /review\.submitted/u }).check();
    await form.getByLabel("Name", { exact: true }).fill("Warehouse");
    await form.getByRole("button", { name: "Add header" }).click();
    await form.getByLabel("Header", { exact: true }).fill("X-Tenant");
    await form.getByLabel("Value").fill("bakery");
    await form.getByRole("checkbox", { name: /^Use a signing secret/u }).check();
    const field = form.getByRole("textbox", { name: "Signing secret" });
    await field.fill("too short");
    await form.getByRole("button", { name: "Create webhook" }).click();
    await form.getByText("must be 24 to 128 visible ASCII characters").waitFor();
    await field.fill(ownSecret);
    await form.getByRole("button", { name: "Create webhook" }).click();

    const shown = page.getByRole("dialog", { name: "Webhook created" });
    expect(await shown.getByLabel("Signing secret", { exact: true }).inputValue()).toBe(ownSecret);
    await shown.getByText("It is shown only once.").waitFor();
    const test = shown.getByRole("button", { name: "Send test" });
    await shown.getByLabel("Event of the test").selectOption("review.submitted");
    world.answerWith(500);
    await test.click();
    await shown.getByText("answered 500").waitFor();
    await shown.getByRole("button", { name: "Skip and go live" }).waitFor();
    world.answerWith(204);
    await test.click();
    await shown.getByText("answered 204.").waitFor();
    await expect.poll(() => test.isDisabled()).toBe(true);
    const received = world.received.at(-1);
    if (received === undefined) throw new Error("no test arrived");
    const { headers, body } = received;
    expect(headers["x-tenant"]).toBe("bakery");
    await expect(verify({ headers, body, secrets: ownSecret })).resolves.toMatchObject({
      event: "review.submitted",
      test: true,
    });
    expect(await world.publish("rev_1")).toEqual([]);
    await shown.getByRole("button", { name: "Go live" }).click();
    await shown.getByText("It is live").waitFor();
    await page.getByRole("button", { name: "I have stored it" }).click();
    await page.getByRole("row", { name: "Warehouse" }).getByText("Active").waitFor();
    expect(await world.publish("rev_2")).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  it("goes live on the page of a webhook, if its dialog was closed before", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    const { id, path } = await world.createWebhook("/hook", { paused: true });
    await world.publish("rev_1");
    // The clock of this laptop is behind the server.
    await page.clock.setFixedTime(Date.now() - 60_000);
    await open(`webhooks/${id}`);
    await page.getByText("Its endpoint has accepted nothing yet").waitFor();
    await page.locator(".note").getByRole("link", { name: "1 not sent" }).waitFor();
    await page.getByRole("button", { name: "Go live and recover …" }).waitFor();
    await page.getByRole("button", { name: "Send test" }).last().click();
    await page.getByText("answered 204.").waitFor();
    await page.getByRole("button", { name: "Go live", exact: true }).click();
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    expect((await world.ask(`GET ${path}`)).data).toMatchObject({ status: "active", verified: true });
  });

  it("keeps the page of a removed webhook, with the reason and its deliveries", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    const { id } = await world.createWebhook("/hook");
    await publishMany(world, 1);
    world.answerWith(410);
    await world.publish("rev_gone");
    await world.settled();
    await open(`webhooks/${id}`);
    await page
      .getByRole("alert")
      .filter({ hasText: /: its endpoint answered 410\. Nothing is sent to it any more\. Create a webhook/u })
      .waitFor();
    for (const record of ["rev_1", "rev_gone"]) await page.getByRole("link", { name: record }).waitFor();
    await expect
      .poll(() => page.getByRole("button", { name: /Pause|Delete|Send test|Resend/u }).count())
      .toBe(0);
    await page.getByRole("link", { name: "rev_gone" }).click();
    const delivery = page.getByRole("dialog", { name: "Delivery" });
    await delivery.getByText("the webhook was removed").first().waitFor();
    await expect.poll(() => delivery.getByRole("button", { name: "Resend" }).isDisabled()).toBe(true);
    await open("");
    const attention = page.getByRole("region", { name: "Needs attention" }).getByRole("listitem");
    await expect
      .poll(() => attention.allTextContents())
      .toEqual([expect.stringMatching(/^\/hook.*Removed410nothing accepted since .*1 failedLook$/u)]);
    await attention.getByRole("button", { name: /^Snooze .*\/hook/u }).click();
    await page.getByRole("menuitem", { name: "Snooze for a day" }).click();
    await page.getByText("No webhook needs attention").waitFor();
    expect(complaints).toEqual([]);
  });

  it("shows that a webhook was removed, if a part of its page finds out first", async () => {
    await using visited = await visit();
    const { page, world, address, open } = visited;
    const { id, path } = await world.createWebhook("/hook");
    await open("keys");
    await pauseLive(page);
    const held = await hold(page, "**/recoveries?*", "request");
    await page.goto(`${address}#/webhooks/${id}`);
    await held.asked;
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    await world.ask(`DELETE ${path}`);
    held.release();
    await page.getByRole("alert").filter({ hasText: "This webhook was removed on" }).waitFor();
    expect(await page.getByText("resource_not_found").count()).toBe(0);
  });

  it("says whether a secret signed a delivery, and sends the secret nowhere", async () => {
    await using visited = await visit();
    const { page } = visited;
    const { secret } = await openNewWebhook(visited);
    const result = await sendTest(page);
    await choose(result, "Signature");
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
    const answer = async (text: string): Promise<string | null> => {
      await result.getByLabel("Check a secret").fill(text);
      await result.getByRole("button", { name: "Check", exact: true }).click();
      const outcome = result.getByRole("status").filter({ hasText: /secret/u });
      await outcome.filter({ hasText: text === secret ? "●" : "✕" }).waitFor();
      return outcome.textContent();
    };
    expect(await answer(`whsec_${"a".repeat(43)}`)).toBe("✕ This secret did not sign the request.");
    expect(await answer(secret)).toBe("● This secret signed the request.");
    expect(sent.filter((text) => text.includes(secret))).toEqual([]);
  });

  it("says why a delivery was cancelled and cannot be sent again, and leads to its webhook", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    const { path } = await world.createWebhook("/hook");
    world.answerWith("nothing");
    await world.publish("rev_1");
    await expect.poll(() => world.received.length).toBe(1);
    await world.ask(`POST ${path}/pause`);
    world.answerWith(503);
    await open("deliveries");
    await page.getByRole("row", { name: "rev_1" }).getByText("Cancelled").waitFor();
    await page.getByRole("checkbox", { name: "Select this row" }).check();
    const selected = page.getByRole("group", { name: "Selected deliveries" });
    await selected.getByText("1 cannot be sent again: the webhook is paused.").waitFor();
    await expect.poll(() => selected.getByRole("button", { name: "Resend" }).isDisabled()).toBe(true);
    const drawer = await openDelivery(page, "rev_1");
    await drawer
      .getByText(/^Cancelled: the webhook was paused on \d+ \w+, [\d:]+\. It cannot be sent again/u)
      .waitFor();
    await drawer
      .getByRole("listitem")
      .filter({ hasText: /^Cancelled: webhook paused$/u })
      .waitFor();
    await drawer.getByRole("link", { name: "Resume the webhook" }).click();
    await page.getByRole("button", { name: "Skip and go live" }).waitFor();
  });
});
