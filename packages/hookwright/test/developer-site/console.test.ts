import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verify } from "@hookwright/signature";
import { hasBrowser, openBrowser, openPage } from "../support/open-browser.ts";
import { openConsole, password } from "../support/open-console.ts";
import type { World } from "../support/open-console.ts";
import type { HookwrightOptions } from "../../src/options.ts";
import { openSite } from "../support/open-site.ts";

const within10s = { timeout: 10_000 };

interface Visit extends AsyncDisposable {
  readonly world: World;
  readonly page: Page;
  readonly complaints: readonly string[];
  readonly address: string;
}

interface Held {
  readonly asked: Promise<unknown>;
  /** It was answered, or given up by the page, and what came of that is on the screen. */
  readonly settled: Promise<unknown>;
  /** Lets the request through that is waiting, and those that come after it. */
  release(): void;
}

/** Holds requests for a URL back, or their answers, as a slow network does. */
async function hold(page: Page, url: string, what: "request" | "answer"): Promise<Held> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: asked, resolve: noteAsked } = Promise.withResolvers<void>();
  const { promise: settled, resolve: noteSettled } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    const response = what === "answer" ? await route.fetch() : undefined;
    noteAsked();
    await released;
    // What the page has given up by then cannot be answered any more.
    await (response === undefined ? route.continue() : route.fulfill({ response })).catch(() => undefined);
    await (
      await route
        .request()
        .response()
        .catch(() => null)
    )?.finished();
    // Twice, so that what came of the answer is on the screen.
    for (let frame = 1; frame <= 2; frame++)
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    noteSettled();
  });
  return { asked, settled, release };
}

describe.runIf(hasBrowser)("the web console", { timeout: 60_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  async function visit(options: Partial<HookwrightOptions> = {}, mount = ""): Promise<Visit> {
    const world = await openConsole(options);
    const site = await openSite(world.hookwright, { mount });
    const { page, complaints, [Symbol.asyncDispose]: leave } = await openPage(browser, site.origin);
    const address = `${site.origin}${mount}/console`;
    await page.goto(address);
    return {
      world,
      page,
      complaints,
      address,
      async [Symbol.asyncDispose]() {
        await leave();
        await site[Symbol.asyncDispose]();
        await world[Symbol.asyncDispose]();
      },
    };
  }

  async function signIn(page: Page, heading = "Webhooks"): Promise<void> {
    await page.getByLabel("E-mail").fill("owner@example.com");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: heading, exact: true }).waitFor();
  }

  async function createWebhook(page: Page, url: string): Promise<string> {
    await page.getByRole("button", { name: "Create webhook" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Event").selectOption("review.submitted");
    await dialog.getByLabel("URL").fill(url);
    await dialog.getByRole("button", { name: "Create webhook" }).click();
    const secret = await page.getByLabel("Signing secret", { exact: true }).inputValue();
    await page.getByRole("button", { name: "I have stored it" }).click();
    return secret;
  }

  it("refuses a wrong password in the API's words, and lets the right one in", async () => {
    await using visited = await visit();
    const { page, complaints } = visited;
    await page.getByLabel("E-mail").fill("owner@example.com");
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("invalid_credentials");
    await signIn(page);
    expect(await page.title()).toBe("Webhooks · Developer console");
    expect(complaints).toEqual([]);
  });

  it("creates a webhook, shows its secret once, tests it, and shows what was sent and answered", async () => {
    await using visited = await visit();
    const { page, world, complaints } = visited;
    await signIn(page);
    const secret = await createWebhook(page, `${world.origin}/hook`);
    expect(secret).toMatch(/^whsec_[\w-]{43}$/u);
    expect(await page.content()).not.toContain(secret);
    await page.getByRole("link", { name: `${world.origin}/hook` }).click();
    await page.getByRole("button", { name: "Send test" }).click();
    const result = page.getByLabel("Result of the test");
    expect(await result.textContent()).toContain("204");
    expect(await result.textContent()).toContain("Accepted.");
    expect(world.received).toHaveLength(1);
    const [{ headers, body } = { headers: {}, body: "" }] = world.received;
    await expect(verify({ headers, body, secrets: secret })).resolves.toMatchObject({
      event: "review.submitted",
    });
    expect(complaints).toEqual([]);
  });

  it("says why a webhook is refused, and keeps what was typed", async () => {
    await using visited = await visit({ privateTargets: false });
    const { page } = visited;
    await signIn(page);
    await page.getByRole("button", { name: "Create webhook" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("URL").fill("https://localhost/x");
    await dialog.getByRole("button", { name: "Create webhook" }).click();
    expect(await dialog.getByRole("alert").textContent()).toContain("invalid_target_url");
    expect(await dialog.getByLabel("URL").inputValue()).toBe("https://localhost/x");
  });

  it("answers a second webhook of the same event and URL with the first", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await signIn(page);
    await createWebhook(page, `${world.origin}/hook`);
    await page.getByRole("button", { name: "Create webhook" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Event").selectOption("review.submitted");
    await dialog.getByLabel("URL").fill(`${world.origin}/hook`);
    await dialog.getByRole("button", { name: "Create webhook" }).click();
    await page.getByRole("heading", { name: "This webhook exists already" }).waitFor();
    expect((await world.ask("GET /console/api/webhooks")).rows).toHaveLength(1);
  });

  it("pauses, resumes and deletes a webhook", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await signIn(page);
    await createWebhook(page, `${world.origin}/hook`);
    await page.getByRole("link", { name: `${world.origin}/hook` }).click();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Pause webhook" }).click();
    await page.getByText("Paused. What happens meanwhile is never sent.").waitFor();
    expect(await page.getByRole("button", { name: "Send test" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete webhook" }).click();
    await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
    expect((await world.ask("GET /console/api/webhooks")).rows).toEqual([]);
  });

  it("turns a webhook on that was switched off, after saying how it came to that", async () => {
    await using visited = await visit({ retryDelaysSeconds: [0.05, 0.05, 0.05, 0.05, 0.05] });
    const { page, world } = visited;
    await signIn(page);
    await createWebhook(page, `${world.origin}/hook`);
    world.answerWith(500);
    for (let record = 1; record <= 5; record++) await world.publish(`rev_${record}`);
    await expect
      .poll(async () => (await world.ask("GET /console/api/webhooks")).rows[0]?.["status"], {
        timeout: 10_000,
      })
      .toBe("switched_off");
    await page.getByRole("link", { name: `${world.origin}/hook` }).click();
    await page.getByText(/Switched off after 30 failed attempts/u).waitFor();
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
  });

  it("rotates the signing secret: tests are signed with the new one, deliveries after it is finished", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await signIn(page);
    const first = await createWebhook(page, `${world.origin}/hook`);
    await page.getByRole("link", { name: `${world.origin}/hook` }).click();
    await page.getByRole("button", { name: "Rotate signing secret" }).click();
    const second = await page
      .getByRole("dialog", { name: "New signing secret" })
      .getByRole("textbox")
      .inputValue();
    expect(second).not.toBe(first);
    await page.getByRole("button", { name: "I have stored it" }).click();
    await world.publish("rev_1");
    await world.settled();
    await page.getByRole("button", { name: "Send test" }).click();
    await page.getByLabel("Result of the test").waitFor();
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
    expect(signedWith).toEqual(["first", "second", "second"]);
  });

  it("finds a failed delivery by its state, shows its attempt, and sends it again", async () => {
    await using visited = await visit({ retryDelaysSeconds: [] });
    const { page, world, complaints } = visited;
    await signIn(page);
    await createWebhook(page, `${world.origin}/hook`);
    world.answerWith(503);
    await world.publish("rev_bad");
    await world.settled();
    world.answerWith(204);
    await world.publish("rev_good");
    await world.settled();
    await page.getByRole("link", { name: "Deliveries" }).click();
    await page.getByRole("link", { name: "rev_good" }).waitFor();
    await page.getByLabel("State").selectOption("failed");
    await page.getByRole("link", { name: "rev_good" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "rev_bad" }).click();
    expect(await page.getByLabel("Attempt 1").textContent()).toContain("503");
    expect(await page.getByLabel("Attempt 1").textContent()).toContain("X-Service-Signature");
    await page.getByRole("button", { name: "Resend" }).click();
    await page.getByText("resend", { exact: true }).waitFor();
    await page.locator(".badge", { hasText: "delivered" }).waitFor();
    await page.getByRole("link", { name: "Deliveries" }).first().click();
    await page.getByLabel("Delivery, body or record id").fill("review.submitted_rev_bad");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("link", { name: "rev_good" }).waitFor({ state: "detached" });
    await expect.poll(() => page.getByRole("link", { name: "rev_bad" }).count(), within10s).toBe(2);
    expect(complaints).toEqual([]);
  });

  it("shows a delivery log of many pages, further ones on demand and no row twice", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await signIn(page);
    await createWebhook(page, `${world.origin}/hook`);
    for (let record = 1; record <= 60; record++) await world.publish(`rev_${record}`);
    await page.getByRole("link", { name: "Deliveries" }).click();
    const more = page.getByRole("button", { name: "Load more" });
    for (const shown of [25, 50, 60]) {
      await expect.poll(() => page.locator("tbody tr").count(), within10s).toBe(shown);
      if (shown < 60) await more.click();
    }
    expect(await more.count()).toBe(0);
    const ids = await page.locator("tbody td.record a").allTextContents();
    expect(new Set(ids).size).toBe(60);
  });

  it("shows names, records and keys as text, never as markup", async () => {
    const markup = "<img src=x onerror=alert(1)>";
    await using visited = await visit();
    const { page, world, complaints } = visited;
    await world.hookwright.projects.put("site_1", { name: markup });
    await world.hookwright.apiKeys.create("acc_1", { name: markup });
    await signIn(page);
    await createWebhook(page, `${world.origin}/hook`);
    await world.publish("rev_1");
    await world.settled();
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByText(markup).waitFor();
    await page.getByRole("link", { name: "Deliveries" }).click();
    await page.getByRole("link", { name: "rev_1" }).click();
    await page.getByLabel("Attempt 1").getByText(markup).waitFor();
    expect(await page.locator("img").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("creates a key that works, and revokes it", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await signIn(page);
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Zapier");
    // A double click makes one.
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).dblclick();
    const key = await page
      .getByRole("dialog", { name: /created$/u })
      .getByRole("textbox")
      .inputValue();
    await page.getByRole("button", { name: "I have stored it" }).click();
    const ask = (): Promise<Response> =>
      world.hookwright.fetch(
        new Request("http://localhost/v1/orders", { headers: { authorization: `Bearer ${key}` } }),
      );
    expect((await ask()).status).toBe(200);
    expect((await world.ask("GET /console/api/keys")).rows).toHaveLength(1);
    await page.getByRole("button", { name: "Revoke Zapier" }).click();
    await page.getByRole("button", { name: "Revoke key" }).click();
    await page.getByRole("button", { name: "Revoke Zapier" }).waitFor({ state: "detached" });
    expect((await ask()).status).toBe(401);
    await page.getByRole("link", { name: "Requests" }).click();
    // The log of requests is written behind them.
    const logged = async (): Promise<number> => {
      await page.getByRole("button", { name: "Refresh" }).click();
      return page.getByText("GET /v1/orders").count();
    };
    await expect.poll(logged, within10s).toBe(1);
  });

  it("signs out: the token is of no use any more, and the back button shows nothing", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await signIn(page);
    const token = await page.evaluate(() => JSON.parse(Object.values(sessionStorage)[0] ?? "{}").token);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You have signed out.").waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    const response = await world.hookwright.fetch(
      new Request("http://localhost/v1/me", { headers: { authorization: `Bearer ${token}` } }),
    );
    expect(response.status).toBe(401);
    await page.goBack();
    await page.reload();
    await page.goto(visited.address);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
  });

  it("keeps the session over a reload, and asks again once it has expired", async () => {
    let ahead = 0;
    await using visited = await visit({ now: () => Date.now() + ahead, consoleTokenSeconds: 600 });
    const { page } = visited;
    await signIn(page);
    await page.reload();
    await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
    ahead = 601_000;
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByText("Your session has expired. Sign in again.").waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  it("lets a demo account look, and says what it cannot do", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await world.hookwright.accounts.put("acc_1", { demo: true });
    await signIn(page);
    await page.getByText("This is a demo account").waitFor();
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Zapier");
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("read_only_demo");
  });

  it("works below a path that it was not told of, with a slash behind it too", async () => {
    await using visited = await visit({}, "/integrations");
    const { page, address, complaints } = visited;
    await page.goto(`${address}/`);
    expect(page.url()).toBe(address);
    await signIn(page);
    expect(complaints).toEqual([]);
  });

  it("says so when the server is gone, and goes on when it is back", async () => {
    await using visited = await visit();
    const { page } = visited;
    await signIn(page);
    await page.route("**/console/api/keys**", (route) => route.abort());
    await page.getByRole("link", { name: "API keys" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("The server does not answer.");
    await page.unroute("**/console/api/keys**");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "No keys yet" }).waitFor();
  });

  it("can be used by the keyboard alone", async () => {
    await using visited = await visit();
    const { page } = visited;
    await page.keyboard.type("owner@example.com");
    await page.keyboard.press("Tab");
    await page.keyboard.type(password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Webhooks", exact: true }).waitFor();
    await page.getByRole("button", { name: "Create webhook" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("placeholder"))).toBe(
      "https://example.com/webhooks",
    );
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Create webhook");
  });

  it("opens for an account that is over its rate limit, which is when its requests are wanted", async () => {
    await using visited = await visit({ rateLimitPerMinute: 1 });
    const { page, world } = visited;
    await world.ask("GET /v1/me");
    await signIn(page);
    await page.getByText("rate_limited").waitFor();
    await page.getByRole("link", { name: "Requests" }).click();
    // The log of requests is written behind them.
    const refused = async (): Promise<number> => {
      await page.getByRole("button", { name: "Refresh" }).click();
      return page.getByRole("cell", { name: "429" }).count();
    };
    await expect.poll(refused, within10s).toBeGreaterThan(0);
  });

  it("shows a secret also where the reader has gone on before it came", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await signIn(page);
    await createWebhook(page, `${world.origin}/hook`);
    await page.getByRole("link", { name: `${world.origin}/hook` }).click();
    const held = await hold(page, "**/rotate", "answer");
    await page.getByRole("button", { name: "Rotate signing secret" }).click();
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("heading", { name: "API keys" }).waitFor();
    held.release();
    const secret = await page.getByRole("dialog").getByRole("textbox").inputValue();
    expect(secret).toMatch(/^whsec_/u);
    await page.goBack();
    await page.keyboard.press("Escape");
    expect(await page.getByRole("dialog").getByRole("textbox").inputValue()).toBe(secret);
  });

  it("loads more after a failure, from where it was", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await signIn(page);
    await createWebhook(page, `${world.origin}/hook`);
    for (let record = 1; record <= 30; record++) await world.publish(`rev_${record}`);
    await page.getByRole("link", { name: "Deliveries" }).click();
    await page.getByRole("button", { name: "Load more" }).waitFor();
    await page.route("**/deliveries?*cursor=*", (route) => route.abort());
    await page.getByRole("button", { name: "Load more" }).click();
    await page.getByText("The server does not answer.").waitFor();
    await page.unroute("**/deliveries?*cursor=*");
    await page.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => page.locator("tbody tr").count(), within10s).toBe(30);
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("an answer that was asked for before an action does not undo what the action showed", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await signIn(page);
    await createWebhook(page, `${world.origin}/hook`);
    await page.getByRole("link", { name: `${world.origin}/hook` }).click();
    await page.getByRole("button", { name: "Pause" }).click();
    const { rows } = await world.ask("GET /console/api/webhooks");
    const held = await hold(page, `**/console/api/webhooks/${String(rows[0]?.["id"])}`, "answer");
    // Behind the dialog, as a slow network has it.
    await page.getByRole("button", { name: "Refresh", includeHidden: true }).dispatchEvent("click");
    await held.asked;
    await page.getByRole("button", { name: "Pause webhook" }).click();
    await page.getByRole("button", { name: "Resume" }).waitFor();
    held.release();
    await held.settled;
    expect(await page.getByRole("button", { name: "Resume" }).count()).toBe(1);
  });

  it("shows what a webhook is after an action that came too late for it", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await signIn(page);
    await createWebhook(page, `${world.origin}/hook`);
    await page.getByRole("link", { name: `${world.origin}/hook` }).click();
    await page.getByRole("button", { name: "Pause" }).click();
    const { rows } = await world.ask("GET /console/api/webhooks");
    await world.ask(`POST /console/api/webhooks/${String(rows[0]?.["id"])}/pause`);
    await page.getByRole("button", { name: "Pause webhook" }).click();
    expect(await page.getByRole("dialog").getByRole("alert").textContent()).toContain("invalid_state");
    await page.getByRole("button", { name: "Go back" }).click();
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByRole("button", { name: "Resume" }).waitFor();
    await world.ask(`POST /console/api/webhooks/${String(rows[0]?.["id"])}/resume`);
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByText("invalid_state").waitFor();
    await page.getByRole("button", { name: "Pause" }).waitFor();
  });

  it("says that a webhook is gone whose endpoint answers 410, and what it answered", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await signIn(page);
    await createWebhook(page, `${world.origin}/hook`);
    await page.getByRole("link", { name: `${world.origin}/hook` }).click();
    world.answerWith(410);
    await page.getByRole("button", { name: "Send test" }).click();
    await page.getByText("This webhook is not there any more.").waitFor();
    expect(await page.getByLabel("Result of the test").textContent()).toContain("410");
    expect(await page.getByRole("button", { name: /Pause|Delete|Rotate|Send test/u }).count()).toBe(0);
  });

  it("does not lead away from where the reader went while it was resending", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await signIn(page);
    await createWebhook(page, `${world.origin}/hook`);
    await world.publish("rev_1");
    await world.settled();
    await page.getByRole("link", { name: "Deliveries" }).click();
    await page.getByRole("link", { name: "rev_1" }).click();
    const held = await hold(page, "**/resend", "answer");
    await page.getByRole("button", { name: "Resend" }).click();
    await held.asked;
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("heading", { name: "API keys" }).waitFor();
    held.release();
    await held.settled;
    await expect.poll(() => world.received.length).toBe(2);
    expect(page.url()).toContain("#/keys");
  });

  it("a late answer to a session that has ended does not end the next one", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await signIn(page);
    await createWebhook(page, `${world.origin}/hook`);
    await page.getByRole("link", { name: `${world.origin}/hook` }).click();
    const held = await hold(page, "**/test", "request");
    await page.getByRole("button", { name: "Send test" }).click();
    await held.asked;
    await page.getByRole("button", { name: "Sign out" }).click();
    await signIn(page, `${world.origin}/hook`);
    held.release();
    await held.settled;
    expect(await page.getByRole("button", { name: "Sign out" }).count()).toBe(1);
  });

  it("signs out also while the server is away, and says what that leaves", async () => {
    await using visited = await visit();
    const { page } = visited;
    await signIn(page);
    await page.route("**/console/api/session", (route) => route.abort());
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("The server could not be told").waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  it("says it plainly where something else answers in the API's place", async () => {
    await using visited = await visit();
    const { page, complaints } = visited;
    await signIn(page);
    for (const body of ["null", "<html>", '{"success":true,"data":{}}', '{"error":"no"}']) {
      await page.route("**/console/api/keys**", (route) => route.fulfill({ status: 502, body }));
      await page.getByRole("link", { name: "API keys" }).click();
      await page.getByText("Is a proxy in between?").waitFor();
      await page.unroute("**/console/api/keys**");
      await page.getByRole("link", { name: "Webhooks" }).click();
      await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
    }
    expect(complaints).toEqual([]);
  });

  it("puts the focus on the heading of each screen that is opened", async () => {
    await using visited = await visit();
    const { page } = visited;
    await signIn(page);
    for (const name of ["Deliveries", "Requests", "API keys", "Webhooks"]) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { name, exact: true }).waitFor();
      await expect.poll(() => page.locator("h1:focus").textContent(), within10s).toBe(name);
    }
  });
});
