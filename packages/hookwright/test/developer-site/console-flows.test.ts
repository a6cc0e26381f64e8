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
  webhookLink,
} from "../support/visit-console.ts";

/** Chooses one of a few values that are all visible. */
async function choose(place: Locator, value: string): Promise<void> {
  await place.getByRole("radio", { name: value, exact: true }).check();
}

describe.runIf(hasBrowser)("flows in the console", { timeout: 120_000 }, () => {
  const visit = prepareVisits();

  it("creates webhooks for two events at once, and shows the secret of each", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    await open("webhooks");
    await page.getByRole("button", { name: "Create webhook" }).click();
    const form = page.getByRole("dialog", { name: "Create a webhook" });
    await form.getByLabel("URL").fill(`${world.origin}/hook`);
    await form.getByRole("checkbox", { name: /review\.submitted/u }).check();
    await form.getByRole("button", { name: "Create 2 webhooks" }).click();
    const shown = page.getByRole("dialog", { name: "2 webhooks created" });
    const secrets = await Promise.all(
      ["order.created", "review.submitted"].map((event) =>
        shown.getByLabel(`Signing secret for ${event}`, { exact: true }).inputValue(),
      ),
    );
    expect(new Set(secrets).size).toBe(2);
    for (const variable of ["WEBHOOK_SECRET_ORDER_CREATED", "WEBHOOK_SECRET_REVIEW_SUBMITTED"])
      await shown.getByText(`Environment variable ${variable}`).waitFor();
    await shown.getByText("They are shown only once.").waitFor();
    const [example] = await shown.getByRole("button", { name: "Send test" }).all();
    await example?.click();
    await shown.getByText("Response: 204. Accepted.").waitFor();
    await page.getByRole("button", { name: "I have stored them" }).click();
    await expect.poll(() => webhookLink(page, `${world.origin}/hook`).count()).toBe(2);
    await publishMany(world, 1);
    const [, { headers, body } = { headers: {}, body: "" }] = world.received;
    await expect(verify({ headers, body, secrets: secrets[1] ?? "" })).resolves.toMatchObject({
      event: "review.submitted",
    });
    await expect(verify({ headers, body, secrets: secrets[0] ?? "" })).rejects.toThrow(/signature/iu);
    expect(complaints).toEqual([]);
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
      .filter({ hasText: /: its endpoint answered 410\.$/u })
      .waitFor();
    for (const record of ["rev_1", "rev_gone"]) await page.getByRole("link", { name: record }).waitFor();
    await expect.poll(() => page.getByRole("button", { name: /Pause|Delete|Send test/u }).count()).toBe(0);
    await page.getByRole("link", { name: "rev_gone" }).click();
    const delivery = page.getByRole("dialog", { name: "Delivery" });
    await delivery.getByText("the webhook was removed").first().waitFor();
    await expect.poll(() => delivery.getByRole("button", { name: "Resend" }).isDisabled()).toBe(true);
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
    await page.getByRole("button", { name: "Resume and recover …" }).waitFor();
  });
});
