import type { Locator } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { verify } from "@hookwright/signature";
import { stopStorages, storages } from "../end-to-end/support/storages.ts";
import { hasBrowser } from "../support/open-browser.ts";
import {
  createWebhook,
  openNewWebhook,
  prepareVisits,
  publishMany,
  sendTest,
  signInToWebhooks,
  webhookLink,
  within10s,
} from "../support/visit-console.ts";
import type { Visit } from "../support/visit-console.ts";

/** What a browser needs to copy over HTTP. */
async function allowCopying({ page, address }: Visit): Promise<void> {
  const permissions = ["clipboard-read", "clipboard-write"];
  await page.context().grantPermissions(permissions, { origin: new URL(address).origin });
}

/** Chooses one of a few values that are all visible. */
async function choose(place: Locator, value: string): Promise<void> {
  await place.getByRole("radio", { name: value, exact: true }).check();
}

describe.runIf(hasBrowser)("flows in the console", { timeout: 60_000 }, () => {
  const visit = prepareVisits();

  it("creates webhooks for two events at once, and shows the secret of each", async () => {
    await using visited = await visit();
    const { page, world, complaints } = visited;
    await signInToWebhooks(page);
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
    await page.getByRole("button", { name: "I have stored it" }).click();
    await expect.poll(() => webhookLink(page, `${world.origin}/hook`).count(), within10s).toBe(2);
    await publishMany(world, 1);
    const [{ headers, body } = { headers: {}, body: "" }] = world.received;
    await expect(verify({ headers, body, secrets: secrets[1] ?? "" })).resolves.toMatchObject({
      event: "review.submitted",
    });
    await expect(verify({ headers, body, secrets: secrets[0] ?? "" })).rejects.toThrow(/signature/iu);
    expect(complaints).toEqual([]);
  });

  it("keeps the page of a removed webhook, with the reason and its deliveries", async () => {
    await using visited = await visit();
    const { page, world, complaints } = visited;
    await signInToWebhooks(page);
    await openNewWebhook(visited);
    const { rows } = await world.ask("GET /console/api/webhooks");
    const id = String(rows[0]?.["id"]);
    await publishMany(world, 1);
    world.answerWith(410);
    await world.publish("rev_gone");
    const read = () => world.ask(`GET /console/api/webhooks/${id}`);
    await expect.poll(async () => (await read()).data["status"], within10s).toBe("removed");
    await page.goto(`${visited.address}#/`);
    await page.goto(`${visited.address}#/webhooks/${id}`);
    expect(await page.getByRole("alert").textContent()).toMatch(/: its endpoint answered 410\.$/u);
    for (const record of ["rev_1", "rev_gone"]) await page.getByRole("link", { name: record }).waitFor();
    expect(await page.getByRole("button", { name: /Pause|Delete|Send test/u }).count()).toBe(0);
    await page.getByRole("link", { name: "rev_gone" }).click();
    const delivery = page.getByRole("dialog", { name: "Delivery" });
    await delivery.getByText("the webhook was removed").first().waitFor();
    expect(await delivery.getByRole("button", { name: "Resend" }).isDisabled()).toBe(true);
    expect(complaints).toEqual([]);
  });

  it("says whether a secret signed a delivery, and sends the secret nowhere", async () => {
    await using visited = await visit();
    const { page } = visited;
    await signInToWebhooks(page);
    const secret = await openNewWebhook(visited);
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

  it("copies a delivery as a cURL command that sends the signed bytes", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await allowCopying(visited);
    await signInToWebhooks(page);
    await createWebhook(page, `${world.origin}/hook`);
    await publishMany(world, 1);
    await page.getByRole("link", { name: "Deliveries" }).click();
    await page.getByRole("link", { name: "rev_1" }).click();
    await page.getByRole("button", { name: "Copy as cURL" }).click();
    await page.getByRole("status").filter({ hasText: "Copied." }).waitFor();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    expect(command.split(" \\\n  ")[0]).toBe(`curl '${world.origin}/hook'`);
    const signature = String(world.received[0]?.headers["x-service-signature"]);
    expect(command).toContain(`-H 'X-Service-Signature: ${signature}'`);
    const body = world.received[0]?.body.toString().replaceAll("'", String.raw`'\''`);
    expect(command.endsWith(`--data-binary '${body}'`)).toBe(true);
  });
});

/** For what appears through the stream of changes, or at the next count of missed events. */
const soon = { timeout: 20_000 };
const chosen = storages.filter(({ name }) => ["memory", "filesystem", "Redis"].includes(name));

describe.runIf(hasBrowser).each(chosen)("a disabled webhook on $name", { timeout: 60_000 }, (storage) => {
  const visit = prepareVisits();
  afterAll(stopStorages);

  it("says how much was missed, and is turned on with a recovery of it", async () => {
    const { store, close } = await storage.open(Date.now);
    {
      await using visited = await visit({
        store,
        retryDelaysSeconds: [0.05, 0.05, 0.05, 0.05, 0.05],
        endpointBackoffSeconds: 0,
      });
      const { page, world, complaints } = visited;
      await signInToWebhooks(page);
      await openNewWebhook(visited);
      world.answerWith(500);
      for (let record = 1; record <= 5; record++) await world.publish(`rev_${record}`);
      const banner = page.locator(".note").filter({ hasText: "after 30 failed attempts in a row" });
      await banner.waitFor(soon);
      for (const record of ["rev_missed_1", "rev_missed_2"]) await world.publish(record);
      await banner.getByText("2 events were not sent.").waitFor(soon);
      world.answerWith(204);
      const before = world.received.length;
      await banner.getByRole("button", { name: "Turn on and recover …" }).click();
      const dialog = page.getByRole("dialog", { name: "Send again" });
      const missed = dialog.getByRole("checkbox", { name: /^Events that happened while/u });
      expect(await missed.isChecked()).toBe(true);
      await dialog.getByRole("button", { name: "Send again" }).click();
      await page.getByRole("cell", { name: "Finished" }).waitFor(soon);
      const records = (): unknown[] =>
        world.received.slice(before).map(({ body }) => JSON.parse(body.toString()).data.id);
      await expect.poll(records, soon).toEqual(expect.arrayContaining(["rev_missed_1", "rev_missed_2"]));
      expect(await banner.count()).toBe(0);
      expect(complaints).toEqual([]);
    }
    await close();
  });
});
