import { describe, expect, it } from "vitest";
import { verify } from "@hookwright/signature";
import { hasBrowser, intercept } from "../support/open-browser.ts";
import {
  askToDelete,
  createWebhook,
  hold,
  openNewWebhook,
  openPart,
  pauseLive,
  prepareVisits,
  publishMany,
  sendTest,
  webhookLink,
} from "../support/visit-console.ts";

describe.runIf(hasBrowser)("webhooks in the console", { timeout: 120_000 }, () => {
  const visit = prepareVisits();
  const visitStrict = prepareVisits({ privateTargets: false, standardWebhooks: true });
  const visitImpatient = prepareVisits({ endpointBackoffSeconds: 0 });

  it("creates a webhook, shows its secret once, tests it, and shows request and response", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    await open("webhooks");
    const secret = await createWebhook(page, `${world.origin}/hook`);
    expect(secret).toMatch(/^whsec_[\w-]{43}$/u);
    expect(await page.content()).not.toContain(secret);
    await webhookLink(page, `${world.origin}/hook`).click();
    const result = await sendTest(page);
    await expect.poll(() => result.textContent()).toContain("204");
    await expect.poll(() => result.textContent()).toContain("answered 204.");
    await expect
      .poll(() => result.getByLabel("Request body", { exact: true }).textContent())
      .toContain("review.submitted");
    await expect
      .poll(() => result.and(page.getByRole("dialog", { name: "Test: 204, accepted" })).count())
      .toBe(1);
    expect(world.received).toHaveLength(1);
    const [{ headers, body } = { headers: {}, body: "" }] = world.received;
    await expect(verify({ headers, body, secrets: secret })).resolves.toMatchObject({
      event: "review.submitted",
    });
    expect(complaints).toEqual([]);
  });

  it("shows a new secret also in the form of Standard Webhooks, if their headers are sent", async () => {
    await using visited = await visitStrict();
    const { page, open } = visited;
    const url = "https://example.com/hook";
    await open("webhooks?create=webhook");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("URL").fill(url);
    await dialog.getByRole("button", { name: "Create webhook" }).click();
    const ours = await page.getByLabel("Signing secret", { exact: true }).inputValue();
    const standard = page.getByLabel("For Standard Webhooks libraries", { exact: true });
    await expect.poll(() => standard.inputValue()).toBe(`whsec_${btoa(ours)}`);
    await page.getByRole("button", { name: "I have stored it" }).click();
    await webhookLink(page, url).click();
    await openPart(page, "Secret");
    await page.getByRole("button", { name: "Rotate signing secret" }).click();
    await page.getByRole("button", { name: "Create a new secret" }).click();
    const rotated = await page.getByLabel("New signing secret", { exact: true }).last().inputValue();
    await expect.poll(() => standard.inputValue()).toBe(`whsec_${btoa(rotated)}`);
  });

  it("names a field in an error by its label in the form, and keeps the input", async () => {
    await using visited = await visitStrict();
    const { page, open } = visited;
    await open("webhooks?create=webhook");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("URL").fill("http://example.com/x");
    await dialog.getByRole("button", { name: "Create webhook" }).click();
    const problem = dialog.locator(".problem");
    await expect
      .poll(() => problem.textContent())
      .toBe("URL must start with https://. To receive events on your own machine, use hookwright listen.");
    await expect.poll(() => dialog.getByLabel("URL").inputValue()).toBe("http://example.com/x");
    await dialog.getByLabel("URL").fill("https://example.com/x");
    await problem.waitFor({ state: "detached" });
  });

  it("checks the URL when the user leaves the field", async () => {
    await using visited = await visit();
    const { page, open } = visited;
    await open("webhooks?create=webhook");
    const dialog = page.getByRole("dialog");
    const url = dialog.getByLabel("URL");
    for (const [text, problem] of [
      ["example.com", /^URL must begin with https/u],
      ["https://", /^URL must name a host/u],
      ["http://example.com/x", /^URL should begin with https/u],
      ["https://localhost/x", /^URL should have a public address\. .* use hookwright listen/u],
    ] as const) {
      await url.fill(text);
      await url.press("Tab");
      await dialog.locator(".problem").filter({ hasText: problem }).waitFor();
    }
    await url.fill("https://example.com/x");
    await url.press("Tab");
    await expect.poll(() => dialog.locator(".problem").count()).toBe(0);
  });

  it("says that an unknown webhook does not exist", async () => {
    await using visited = await visit();
    const { page, open } = visited;
    await open("webhooks/wh_none");
    await expect
      .poll(() => page.getByRole("alert").textContent())
      .toMatch(/^This webhook does not exist, or it was removed\./u);
  });

  it("shows the existing webhook for a second one with the same event and URL, with its site", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    const target_url = `${world.origin}/hook`;
    await world.createWebhook("/hook", { event: "order.created", project_id: world.site });
    await open("webhooks?create=webhook");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("URL").fill(target_url);
    await dialog.getByRole("button", { name: "Create webhook" }).click();
    await page.getByRole("heading", { name: "This webhook already exists" }).waitFor();
    await expect
      .poll(() => dialog.textContent())
      .toContain(`${target_url} receives order.created of Shop already.`);
  });

  it("pauses, resumes and deletes a webhook", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await openNewWebhook(visited);
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await page.getByRole("button", { name: "Pause webhook" }).click();
    await page
      .getByText(/^Paused since .*Events that happen meanwhile are sent only by a recovery\./u)
      .waitFor();
    await page.getByRole("button", { name: "Send test" }).last().click();
    await page.getByText("Its endpoint has accepted a test.").waitFor();
    const tests = page.getByRole("button", { name: "Send test" });
    for (const test of await tests.all()) expect(await test.isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Go live", exact: true }).click();
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await page.getByRole("button", { name: "Pause webhook" }).click();
    await page.getByRole("button", { name: "Resume", exact: true }).click();
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    await askToDelete(page);
    await page.getByRole("button", { name: "Delete webhook" }).click();
    await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
    expect((await world.ask("GET /console/api/webhooks")).rows).toEqual([]);
  });

  it("says that a failing webhook is in back-off, and counts down to its next attempt", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    const { id, path } = await world.createWebhook("/hook");
    world.answerWith(500);
    // Two attempts of each. Up to seven in flight when the back-off begins do not count.
    for (let record = 1; record <= 15; record++) await world.publish(`rev_${record}`);
    await expect
      .poll(async () => (await world.ask(`GET ${path}`)).data["consecutive_failures"])
      .toBeGreaterThan(15);
    await open(`webhooks/${id}`);
    const banner = page.getByText(/In back-off after \d+ failed attempts in a row\. Next attempt in \d+ s/u);
    await expect.poll(() => banner.count()).toBe(1);
  });

  it("asks what to recover of a disabled webhook, says how it came to that, and turns it on", async () => {
    await using visited = await visitImpatient();
    const { page, world, open } = visited;
    const { path } = await world.createWebhook("/hook");
    world.answerWith(500);
    for (let record = 1; record <= 15; record++) await world.publish(`rev_${record}`);
    await expect.poll(async () => (await world.ask(`GET ${path}`)).data["status"]).toBe("switched_off");
    await open("");
    const attention = page.getByRole("region", { name: "Needs attention" });
    await attention.getByRole("link", { name: "Turn on and recover" }).click();
    const dialog = page.getByRole("dialog", { name: "Send again" });
    await dialog.getByRole("button", { name: "Since it stopped" }).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(page.url()).not.toContain("do=");
    await page.getByText(/Disabled since .* after 30 failed attempts in a row\. Last: 500\./u).waitFor();
    await page.getByRole("heading", { name: "Newest 15 answers" }).waitFor();
    const issues = page.getByRole("region", { name: "Issues" });
    await issues.getByRole("listitem").filter({ hasText: "500Empty response15 deliveries" }).waitFor();
    await page.getByRole("button", { name: "Turn on", exact: true }).click();
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
  });

  it("shows how many attempts the accepted deliveries took", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    const { id } = await world.createWebhook("/hook");
    await publishMany(world, 2);
    world.answerWith("nothing");
    await world.publish("rev_retried");
    await expect.poll(() => world.received.length).toBe(3);
    // Only the waiting attempt fails.
    world.answerWith(500);
    world.answerWith(204);
    await expect.poll(() => world.received.length).toBe(4);
    await open(`webhooks/${id}`);
    const lines = page.getByRole("listitem").filter({ hasText: /^\d attempts?\d$/u });
    await expect.poll(() => lines.allTextContents()).toEqual(["1 attempt2", "2 attempts1"]);
  });

  it("rotates the signing secret: tests use the new one, deliveries use it after the rotation is finished", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    const { secret: first } = await openNewWebhook(visited);
    await openPart(page, "Secret");
    await page.getByRole("button", { name: "Rotate signing secret" }).click();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    expect((await world.ask("GET /console/api/webhooks")).rows[0]?.["rotating"]).toBe(false);
    await page.getByRole("button", { name: "Rotate signing secret" }).click();
    await page.getByRole("button", { name: "Create a new secret" }).click();
    const second = await page
      .getByRole("dialog", { name: "New signing secret" })
      .getByRole("textbox")
      .inputValue();
    expect(second).not.toBe(first);
    await page.getByRole("button", { name: "I have stored it" }).click();
    await world.publish("rev_1");
    await world.settled();
    const steps = page.getByRole("list", { name: "Steps of the rotation" });
    world.answerWith(401);
    await steps.getByRole("button", { name: "Test the new secret" }).click();
    await steps.getByText("answered 401").waitFor();
    const done = steps.getByRole("heading", { name: "Test (done)" });
    await expect.poll(() => done.count()).toBe(0);
    world.answerWith(204);
    const result = await sendTest(page);
    await result.getByRole("button", { name: "Close" }).click();
    await done.waitFor();
    await page.reload();
    await done.waitFor();
    await page.getByRole("button", { name: /^Finish/u }).click();
    await page.getByRole("button", { name: "Use the new secret", exact: true }).click();
    await page.getByRole("button", { name: "Rotate signing secret" }).waitFor();
    await world.publish("rev_2");
    await world.settled();
    const signedWith = await Promise.all(
      world.received.map(({ headers, body }) =>
        verify({ headers, body, secrets: first }).then(
          () => "first",
          () => "second",
        ),
      ),
    );
    expect(signedWith).toEqual(["first", "second", "second", "second"]);
  });

  it("offers no rotation for a webhook of an integration, but for one of an account's key", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    const url = (name: string): string => `${world.origin}/${name}`;
    for (const integration of [true, false]) {
      const name = integration ? "zapier" : "own";
      const { api_key } = await world.hookwright.apiKeys.create(world.account, { name, integration });
      const response = await world.hookwright.fetch(
        new Request("http://localhost/v1/webhooks", {
          method: "POST",
          headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
          body: JSON.stringify({ event: "review.submitted", target_url: url(name) }),
        }),
      );
      expect(response.status).toBe(201);
    }
    await open("webhooks");
    const rotate = page.getByRole("button", { name: "Rotate signing secret" });
    await webhookLink(page, url("zapier")).click();
    await openPart(page, "Secret");
    await page.getByText("An integration created this webhook").waitFor();
    await expect.poll(() => rotate.count()).toBe(0);
    await page.getByRole("link", { name: "Webhooks" }).first().click();
    await webhookLink(page, url("own")).click();
    await openPart(page, "Secret");
    await rotate.click();
    await page.getByRole("button", { name: "Create a new secret" }).click();
    await page.getByRole("dialog", { name: "New signing secret" }).waitFor();
  });

  it("shows a secret even if the user has left the screen before it arrived", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await world.createWebhook("/hook");
    await open("webhooks");
    await webhookLink(page, `${world.origin}/hook`).click();
    await openPart(page, "Secret");
    const held = await hold(page, "**/rotate", "answer");
    await page.getByRole("button", { name: "Rotate signing secret" }).click();
    await page.getByRole("button", { name: "Create a new secret" }).click();
    await held.asked;
    await page.goBack();
    await page.goBack();
    await page.getByRole("heading", { name: "Webhooks", exact: true }).waitFor();
    held.release();
    const secret = await page.getByRole("dialog").getByRole("textbox").inputValue();
    expect(secret).toMatch(/^whsec_/u);
    await page.goForward();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").getByRole("textbox").inputValue()).toBe(secret);
  });

  it("a response to a request before an action does not overwrite the result of the action", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    const { path } = await openNewWebhook(visited);
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    const held = await hold(page, `**${path}`, "answer");
    // A change elsewhere makes the page load the webhook behind the dialog, as on a slow network.
    await world.ask(`PATCH ${path}`, { name: "Warehouse" });
    await held.asked;
    await page.getByRole("button", { name: "Pause webhook" }).click();
    await page.getByRole("button", { name: "Skip and go live" }).waitFor();
    held.release();
    await held.settled;
    expect(await page.getByRole("button", { name: "Skip and go live" }).count()).toBe(1);
  });

  it("shows the current state of a webhook after an action that its state does not allow", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    const { path } = await openNewWebhook(visited);
    await pauseLive(page);
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await world.ask(`POST ${path}/pause`);
    await page.getByRole("button", { name: "Pause webhook" }).click();
    await expect
      .poll(() => page.getByRole("dialog").getByRole("alert").textContent())
      .toContain("invalid_state");
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("button", { name: "Skip and go live" }).waitFor();
    await world.ask(`POST ${path}/resume`);
    await page.getByRole("button", { name: "Skip and go live" }).click();
    await page.getByText("invalid_state").waitFor();
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
  });

  it("shows that somebody else deleted the webhook first", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    const { path } = await openNewWebhook(visited);
    await pauseLive(page);
    await askToDelete(page);
    await world.ask(`DELETE ${path}`);
    await page.getByRole("button", { name: "Delete webhook" }).click();
    await page.getByRole("alert").getByText("This webhook was removed").waitFor();
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await expect.poll(() => page.locator("h1:focus").count()).toBe(1);
  });

  it("keeps a confirmation open until its action is done", async () => {
    await using visited = await visit();
    const { page } = visited;
    await openNewWebhook(visited);
    await askToDelete(page);
    const held = await hold(page, "**/console/api/webhooks/*", "request");
    await page.getByRole("button", { name: "Delete webhook" }).click();
    await held.asked;
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await expect
      .poll(() => page.getByRole("button", { name: "Cancel", exact: true }).isDisabled())
      .toBe(true);
    held.release();
    await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
  });

  it("opens the list after a deletion, also if the stream tells of it before the response does", async () => {
    await using visited = await visit();
    const { page } = visited;
    await openNewWebhook(visited);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await intercept(page, "**/console/api/webhooks/*", async (route) => {
      if (route.request().method() !== "DELETE") return route.continue();
      const response = await route.fetch();
      await released;
      return route.fulfill({ response });
    });
    await askToDelete(page);
    await page.getByRole("button", { name: "Delete webhook" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    release();
    await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
    expect(page.url()).toMatch(/#\/webhooks$/u);
  });

  it("shows the current state of a webhook after a rotation that its state does not allow", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    const { path } = await openNewWebhook(visited);
    await openPart(page, "Secret");
    await page.getByRole("button", { name: "Rotate signing secret" }).click();
    await world.ask(`POST ${path}/rotate`);
    await page.getByRole("button", { name: "Create a new secret" }).click();
    await expect
      .poll(() => page.getByRole("dialog").getByRole("alert").textContent())
      .toContain("invalid_state");
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("button", { name: /^Finish/u }).waitFor();
  });

  it("says that a webhook was removed after a 410, and shows the response", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await openNewWebhook(visited);
    world.answerWith(410);
    const result = await sendTest(page);
    await expect
      .poll(() => result.and(page.getByRole("dialog", { name: "Test: 410, not accepted" })).count())
      .toBe(1);
    await result.getByRole("button", { name: "Close" }).click();
    await page.getByText("This webhook was removed").waitFor();
    await expect
      .poll(() => page.getByRole("button", { name: /Pause|Delete|Rotate|Send test/u }).count())
      .toBe(0);
  });
});
