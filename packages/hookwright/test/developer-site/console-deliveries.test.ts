import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { hasBrowser, intercept } from "../support/open-browser.ts";
import {
  choosePart,
  exportAs,
  openDelivery,
  openDeliveryPage,
  openSection,
} from "../support/console-screens.ts";
import { hold, openNewWebhook, openPart, prepareVisits, publishMany } from "../support/visit-console.ts";

describe.runIf(hasBrowser)("the delivery log in the console", { timeout: 120_000 }, () => {
  const visit = prepareVisits({ retryDelaysSeconds: [] });
  const visitImpatient = prepareVisits({ retryDelaysSeconds: [3_600], attemptTimeoutSeconds: 0.2 });

  it("finds a failed delivery by its status, shows its attempt, and resends it", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    await world.createWebhook("/hook", { name: "Warehouse" });
    world.answerWith(503);
    await world.publish("rev_bad");
    await world.settled();
    world.answerWith(204);
    await world.publish("rev_good");
    await world.settled();
    await open("deliveries");
    await page.getByRole("row").filter({ hasText: "rev_good" }).getByText("Warehouse").waitFor();
    const statuses = page.getByRole("navigation", { name: "Status" });
    await statuses.getByRole("link", { name: "Failed 1" }).click();
    await page.getByRole("link", { name: "rev_good" }).waitFor({ state: "detached" });
    await openDeliveryPage(page, "rev_bad");
    const attempt = page.getByRole("region", { name: "Attempt 1" });
    await page.getByRole("region", { name: "Result" }).getByText("answered 503").waitFor();
    await choosePart(attempt, "Headers");
    await expect.poll(() => attempt.textContent()).toContain("X-Service-Signature");
    await page.getByRole("button", { name: "Resend" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Resend" }).click();
    await page.getByText("resend", { exact: true }).waitFor();
    await page.locator(".verdict .status", { hasText: "Delivered" }).waitFor();
    await openSection(page, "Deliveries");
    const search = page.getByRole("searchbox", { name: "Record, order number, e-mail, URL or id" });
    await search.fill("review.submitted_rev_bad");
    await search.press("Enter");
    await page.getByRole("link", { name: "rev_good" }).waitFor({ state: "detached" });
    await expect.poll(() => page.getByRole("link", { name: "rev_bad" }).count()).toBe(2);
    expect(complaints).toEqual([]);
  });

  it("sends all again that a filter matches without a selection, and lists the job", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    await world.createWebhook("/hook");
    world.answerWith(503);
    await publishMany(world, 3);
    world.answerWith("nothing");
    await open("deliveries");
    const resend = page.getByRole("button", { name: /^Resend these/u });
    await page.getByRole("link", { name: "rev_1" }).waitFor();
    expect(await resend.count()).toBe(0);
    await open("deliveries?outcome=failed");
    const asked = page.waitForRequest(
      (each) => each.method() === "POST" && each.url().endsWith("/console/api/resends"),
    );
    await page.getByRole("button", { name: "Resend these 3 that match …" }).click();
    expect((await asked).postDataJSON().filter).toMatchObject({ outcome: "failed" });
    const dialog = page.getByRole("dialog", { name: "Send these 3 deliveries again?" });
    await dialog.getByRole("button", { name: "Resend" }).click();
    await dialog.waitFor({ state: "detached" });
    await open("deliveries/resends");
    await page.getByRole("table", { name: "Resends, newest first" }).getByText("3 of 3").waitFor();
    await page.getByRole("status").getByText("No resend is running.").waitFor();
    expect(complaints).toEqual([]);
  });

  it("says that the webhook of its filter does not exist", async () => {
    await using visited = await visit();
    const { page, open } = visited;
    await open("deliveries?webhook_id=wh_unknown");
    await page.getByText("This account has no webhook wh_unknown").waitFor();
    await page.getByRole("link", { name: "Show the deliveries of all webhooks" }).click();
    await expect.poll(() => page.getByText("This account has no webhook").count()).toBe(0);
  });

  it("shows its filters as chips with the words of the menu, and a click removes one", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    const url = `${world.origin}/hook`;
    await world.createWebhook("/hook");
    await publishMany(world, 1);
    await open("deliveries");
    const row = page.getByRole("link", { name: "rev_1" });
    await row.waitFor();
    const opener = page.getByRole("button", { name: /^Filter/u });
    await opener.click();
    await page.getByLabel("Webhook").selectOption(`${url} (review.submitted)`);
    await page.getByLabel("Kind").selectOption("test");
    await row.waitFor({ state: "detached" });
    await expect.poll(() => opener.textContent()).toBe("Filter2");
    await page.getByRole("button", { name: "Remove the filter Kind: test" }).click();
    await row.waitFor();
    await expect.poll(() => opener.textContent()).toBe("Filter1");
    await page.getByRole("button", { name: `Remove the filter Webhook: ${url} (review.submitted)` }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe("#/deliveries");
    expect(complaints).toEqual([]);
  });

  it("applies the filters of site, event and time to chart, counts and rows, and shows no chart for others", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await world.createWebhook("/hook");
    await publishMany(world, 2);
    await world.publish("rev_blog", world.site.replace("site_1", "site_2"));
    await world.settled();
    await open("deliveries");
    const caption = page.locator(".histogram figcaption");
    const tab = page.getByRole("navigation", { name: "Status" }).getByRole("link", { name: "Delivered" });
    const shown = async () => [
      (await caption.count()) === 0 ? "no chart" : await caption.textContent(),
      await tab.textContent(),
      await page.locator("tbody tr").count(),
    ];
    await expect.poll(shown).toEqual(["3 due: 3 delivered.", "Delivered 3", 3]);
    const since = new Date(Date.now() - 60_000).toISOString();
    const filters = {
      [`site=${world.site}`]: ["2 due: 2 delivered.", "Delivered 2", 2],
      "event=order.paid": ["No event in this period.", "Delivered 0", 0],
      [`since=${since}`]: ["3 due: 3 delivered.", "Delivered 3", 3],
      "period=1h&outcome=delivered": ["3 due: 3 delivered.", "Delivered 3", 3],
      "period=1h&outcome=failed": ["3 due: 3 delivered.", "Delivered 3", 0],
      "q=rev_1": ["no chart", "Delivered 1", 1],
      "kind=event": ["no chart", "Delivered 3", 3],
      "http_status=204": ["no chart", "Delivered 3", 3],
    };
    for (const [query, expected] of Object.entries(filters)) {
      await page.evaluate((text) => location.assign(`#/deliveries?${text}`), query);
      await expect.poll(shown).toEqual(expected);
    }
  });

  it("shows only deliveries of the period, and offers a longer one", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await world.createWebhook("/hook");
    await publishMany(world, 1);
    await open("deliveries?period=1h");
    await page.getByRole("link", { name: "rev_1" }).waitFor();
    const asked = page.waitForRequest((request) => request.url().includes("/deliveries?"));
    await page.getByRole("radio", { name: "7d" }).check();
    const since = new URL((await asked).url()).searchParams.get("since") ?? "";
    const days = (Date.now() - Date.parse(since)) / 86_400_000;
    expect([days > 6.9, days < 7.1]).toEqual([true, true]);
    await page.evaluate(() => location.assign("#/deliveries?event=order.paid"));
    await page.getByText("No matching deliveries in the last 24 hours.").waitFor();
    await page.getByRole("button", { name: "Show the last 30 days" }).click();
    await page.getByText("No matching deliveries in the last 30 days.").waitFor();
    await expect.poll(() => page.getByRole("radio", { name: "30d" }).isChecked()).toBe(true);
  });

  it("shows and copies the exact bytes that were signed, and a command that sends them again", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await world.createWebhook("/hook");
    world.answerWith(405);
    await publishMany(world, 1);
    const sent = String(world.received[0]?.body);
    await open("deliveries");
    const drawer = await openDelivery(page, "rev_1");
    await drawer.getByText("The route does not accept POST.").waitFor();
    await choosePart(drawer, "Body");
    const body = page.getByRole("group", { name: "Request body" });
    expect(JSON.parse((await body.textContent()) ?? "")).toEqual(JSON.parse(sent));
    expect(await body.textContent()).not.toBe(sent);
    await choosePart(drawer, "Raw");
    await expect.poll(() => body.textContent()).toBe(sent);
    await page.getByText(`These exact bytes were signed: ${Buffer.byteLength(sent)} B.`).waitFor();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole("button", { name: "Copy raw body" }).click();
    await page.getByText("Copied.").waitFor();
    await expect.poll(() => copied()).toBe(sent);
    await page.getByRole("button", { name: "Copy as cURL" }).click();
    await expect.poll(copied).toContain(`curl '${world.origin}/hook'`);
    await expect.poll(() => copied()).toContain(`--data-binary '${sent}'`);
    expect(complaints).toEqual([]);
  });

  it("shows whether the request headers were sent", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    for (const url of ["http://127.0.0.1:1/nobody-listens", "/hook"]) await world.createWebhook(url);
    world.answerWith(503);
    await publishMany(world, 1);
    const captions = { "nobody-listens": "Request headers (not sent)", hook: "Request headers (sent)" };
    await open("deliveries");
    for (const [path, caption] of Object.entries(captions)) {
      await page.getByRole("row", { name: `/${path}` }).click();
      const attempt = page.getByRole("dialog").getByRole("region", { name: "Attempt 1" });
      await choosePart(attempt, "Headers");
      await expect.poll(() => attempt.textContent()).toContain(caption);
      await page.keyboard.press("Escape");
    }
  });

  it("loads further pages of a delivery log on demand, without repeating a row", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await world.createWebhook("/hook");
    await publishMany(world, 60);
    await open("deliveries");
    const more = page.getByRole("button", { name: "Load more" });
    for (const shown of [25, 50, 60]) {
      await expect.poll(() => page.locator("tbody tr").count()).toBe(shown);
      if (shown < 60) await more.click();
    }
    await expect.poll(() => more.count()).toBe(0);
    const ids = await page.locator("tbody td.record a").allTextContents();
    expect(new Set(ids).size).toBe(60);
  });

  it("sends a hundred selected deliveries again as one job, lists it, and saves all as a file", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await world.createWebhook("/hook");
    await publishMany(world, 100);
    await open("deliveries");
    const rows = page.locator("tbody tr");
    for (const shown of [25, 50, 75, 100]) {
      await expect.poll(() => rows.count()).toBe(shown);
      if (shown < 100) await page.getByRole("button", { name: "Load more" }).click();
    }
    await page.getByLabel("Select all rows that are shown").check();
    await page.getByRole("button", { name: "Resend", exact: true }).click();
    const question = page.getByRole("dialog", { name: "Send these 100 deliveries again?" });
    await question.getByRole("button", { name: "Resend" }).click();
    await page.getByRole("status").filter({ hasText: "100 are being sent again." }).waitFor();
    await expect.poll(() => world.received.length).toBe(200);
    const [saved] = await Promise.all([page.waitForEvent("download"), exportAs(page, "NDJSON")]);
    const lines = (await readFile(await saved.path(), "utf8")).trimEnd().split("\n");
    expect([saved.suggestedFilename(), lines.length]).toEqual(["deliveries.ndjson", 200]);
    await page.getByRole("link", { name: "Resends" }).click();
    await page.getByRole("row").filter({ hasText: "100 of 100" }).getByText("Finished").waitFor();
  });

  it("shows names, records and keys as text, never as markup", async () => {
    const markup = "<img src=x onerror=alert(1)>";
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    await world.hookwright.projects.put(world.site, { name: markup });
    await world.hookwright.apiKeys.create(world.account, { name: markup });
    await world.createWebhook("/hook");
    await publishMany(world, 1);
    await open("keys");
    await page.getByRole("cell", { name: markup, exact: true }).waitFor();
    await openSection(page, "Deliveries");
    const drawer = await openDelivery(page, "rev_1");
    await drawer.getByRole("definition").getByText(markup).waitFor();
    await drawer.getByRole("region", { name: "Attempt 1" }).getByText(markup).waitFor();
    await expect.poll(() => page.locator("img").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("continues after a failed page", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await world.createWebhook("/hook");
    await publishMany(world, 30);
    await open("deliveries");
    await page.getByRole("button", { name: "Load more" }).waitFor();
    await intercept(page, "**/deliveries?*cursor=*", (route) => route.abort());
    await page.getByRole("button", { name: "Load more" }).click();
    await page.getByText("The server does not respond.").waitFor();
    await page.unroute("**/deliveries?*cursor=*");
    await page.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => page.locator("tbody tr").count()).toBe(30);
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  });

  it("stays on the current screen if the user left during a resend", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await world.createWebhook("/hook");
    await publishMany(world, 1);
    await open("deliveries");
    const drawer = await openDelivery(page, "rev_1");
    const held = await hold(page, "**/resend", "answer");
    await drawer.getByRole("button", { name: "Resend" }).click();
    await page
      .getByRole("dialog", { name: "Send this delivery again?" })
      .getByRole("button", { name: "Resend" })
      .click();
    await held.asked;
    await page.evaluate(() => location.assign("#/keys"));
    await page.getByRole("heading", { name: "Keys", exact: true }).waitFor();
    held.release();
    await held.settled;
    await expect.poll(() => world.received.length).toBe(2);
    await expect.poll(() => page.evaluate(() => location.hash)).toBe("#/keys");
  });

  it("leads from the selected deliveries of a webhook to its recovery, also a second time", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await openNewWebhook(visited);
    await publishMany(world, 1);
    for (const _ of [1, 2]) {
      await openPart(page, "Deliveries");
      await page.getByRole("checkbox", { name: "Select this row" }).check();
      await page.getByRole("link", { name: "Recover all that failed" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.waitFor({ state: "detached" });
    }
    await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/^#\/webhooks\/wh_\w+$/u);
  });

  it("says once what came of a delivery, and draws where the time of each attempt went", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    await world.createWebhook("/hook");
    world.answerWith(500);
    await publishMany(world, 1);
    await open("deliveries");
    const drawer = await openDelivery(page, "rev_1");
    const result = drawer.getByRole("region", { name: "Result" });
    await expect
      .poll(() => result.locator(".sentence").textContent())
      .toMatch(/^(?:Your endpoint|The network) took .+ answered 500/u);
    expect((await drawer.textContent())?.match(/answered 500/gu)).toHaveLength(1);
    expect(await drawer.locator(".status").count()).toBe(1);
    const phases = drawer.getByRole("table", { name: "Where the time went" }).getByRole("row");
    const lines = (await phases.allTextContents()).filter((text) => text.endsWith(" ms"));
    expect(lines.map((line) => line.replace(/[\d.]+ ms$/u, ""))).toEqual([
      "Our queue",
      "Connect",
      "First byte",
      "Reading",
    ]);
    expect(await drawer.getByRole("button", { name: "Attempt 1" }).locator("time").textContent()).toMatch(
      /:\d\d\.\d{3}$/u,
    );
    expect(complaints).toEqual([]);
  });

  it("says what to do after a timeout, and does not claim that the request was sent", async () => {
    await using visited = await visitImpatient();
    const { page, world, open } = visited;
    await world.createWebhook("/hook");
    world.answerWith("nothing");
    await publishMany(world, 1);
    await open("deliveries");
    const drawer = await openDelivery(page, "rev_1");
    await expect
      .poll(() => drawer.getByRole("button", { name: "Attempt 1" }).textContent())
      .toContain("timeout");
    await drawer
      .getByRole("listitem")
      .filter({ hasText: /^Next attempt in \d+ (?:h|min)\b.* · 2$/u })
      .waitFor();
    const attempt = drawer.getByRole("region", { name: "Attempt 1" });
    const explained = await drawer.getByRole("region", { name: "Result" }).textContent();
    expect(explained).toMatch(/Your endpoint took [\d.]+ (?:of [\d.]+ )?m?s and answered nothing\./u);
    expect(explained).toContain("No response within 200 ms (connected after ");
    expect(explained).toContain("Send the response first, then process the delivery.");
    await choosePart(attempt, "Headers");
    const text = await attempt.textContent();
    expect(text).toContain("Request headers");
    expect(text).not.toMatch(/Request headers \(/u);
  });
});
