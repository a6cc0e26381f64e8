import { describe, expect, it } from "vitest";
import { sections } from "../../../console/site/console/shell/sections.ts";
import { hasBrowser, intercept } from "../support/open-browser.ts";
import { openSection } from "../support/console-screens.ts";
import { fillLists } from "../support/measure-console.ts";
import { password, pauseLive, prepareVisits, typeInto } from "../support/visit-console.ts";

describe.runIf(hasBrowser)("the console as a whole", { timeout: 120_000 }, () => {
  const visit = prepareVisits();

  it("creates a working key and revokes it", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await open("keys");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Zapier");
    await page.getByRole("dialog").getByLabel("Rights").selectOption("Read only");
    await page.getByRole("dialog").getByLabel("End").selectOption("In 30 days");
    // A double click creates only one key.
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
    expect((await world.ask("GET /console/api/keys")).rows).toMatchObject([
      { rights: ["read"], project_id: null, expires_at: expect.any(String) },
    ]);
    await page.getByRole("button", { name: "Revoke Zapier" }).click();
    await page.getByRole("button", { name: "Revoke key" }).click();
    await page.getByRole("button", { name: "Revoke Zapier" }).waitFor({ state: "detached" });
    expect((await ask()).status).toBe(401);
    await openSection(page, "Requests");
    // The request log is written after the responses.
    const logged = async (): Promise<number> => {
      await page.getByRole("button", { name: "Refresh" }).click();
      return page.getByText("GET /v1/orders").count();
    };
    await expect.poll(logged).toBe(1);
  });

  it("loads its own font, which its policy allows", async () => {
    await using visited = await visit();
    const { page, open, complaints } = visited;
    await open("");
    const loaded = page.evaluate(async () => {
      const fonts = await document.fonts.load("14px Geist");
      return fonts.map(({ family, status }) => `${family} ${status}`);
    });
    expect(await loaded).toEqual(["Geist loaded"]);
    expect(complaints).toEqual([]);
  });

  it("says that the code of a screen cannot be loaded, and shows the screen after a reload", async () => {
    await using visited = await visit();
    const { page, open } = visited;
    await open("");
    // The files of another version have other names.
    const files = "**/console/more-screens-*.js";
    await intercept(page, files, (route) => route.fulfill({ status: 404 }));
    await page.getByRole("navigation").getByRole("link", { name: "Webhooks" }).click();
    await page.getByRole("alert").getByText("This page could not be loaded.").waitFor();
    await page.unroute(files);
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("button", { name: "Create webhook" }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("says in the search that nothing was found, and that the search failed", async () => {
    await using visited = await visit();
    const { page, open } = visited;
    await open("");
    await page.keyboard.press("Control+k");
    const search = page.getByRole("combobox", { name: /^Search/u });
    await search.fill("failed del");
    await page.getByRole("option", { name: "Failed deliveries page" }).waitFor();
    await search.fill("unknown");
    await page.getByText("Nothing found.").waitFor();
    await intercept(page, "**/console/api/search?*", (route) => route.abort());
    await search.fill("unknown too");
    await page.getByRole("dialog").getByRole("button", { name: "Try again" }).waitFor();
    await expect.poll(() => page.getByText("Nothing found.").count()).toBe(0);
    await search.fill("failed del");
    await search.press("Enter");
    await expect.poll(() => new URL(page.url()).hash).toBe("#/deliveries?outcome=failed");
  });

  it("finds webhooks, records and deliveries in the search, says why, and leads to each", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    const { id } = await world.createWebhook("/hook", { name: "Revenue" });
    const [delivery = ""] = await world.publish("rev_1");
    await world.settled();
    await open("");
    const found = async (text: string): Promise<readonly string[]> => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: /^Search/u }).fill(text);
      await page.getByRole("option", { name: /delivery$/u }).waitFor();
      return page.getByRole("listbox").getByRole("option").allTextContents();
    };
    expect((await found("REV")).map((line) => line.replace(/\s+/gu, " ").trim())).toEqual([
      "Revenue · review.submittedname · webhook",
      "rev_1 · ada@example.comid · record",
      "rev_1 · review.submitted · delivered · /hookrecord id · delivery",
      "Deliveries with “REV”search",
    ]);
    for (const [kind, hash] of [
      ["webhook", `#/webhooks/${id}`],
      ["record", "#/deliveries?q=rev_1"],
      ["delivery", `#/deliveries/${delivery}`],
    ] as const) {
      await found("rev");
      await page.getByRole("option", { name: new RegExp(`${kind}$`, "u") }).click();
      await expect.poll(() => new URL(page.url()).hash).toBe(hash);
    }
    // The whole id of a delivery.
    expect((await found(delivery)).at(0)).toContain("id · delivery");
    expect(complaints).toEqual([]);
  });

  it("can be used with only the keyboard", async () => {
    await using visited = await visit();
    const { page, world, address } = visited;
    await page.goto(address);
    await typeInto(page.getByLabel("E-mail"), world.email);
    await page.keyboard.press("Tab");
    await typeInto(page.getByLabel("Password"), password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Overview", exact: true }).waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Webhooks" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Webhooks", exact: true }).waitFor();
    await page.getByRole("button", { name: "Create webhook" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("placeholder")))
      .toBe("https://example.com/webhooks");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Create webhook");
  });

  it("tells tabs apart, always names the account, and skips to the content", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await world.hookwright.accounts.put(world.account, { name: "Analytical Bakery" });
    const { id } = await world.createWebhook("/hook");
    const [delivery] = await world.publish("ord_291");
    await open("settings");
    await page.getByRole("definition").getByText(world.email).waitFor();
    const titles = {
      settings: "Settings · Analytical Bakery",
      deliveries: "Deliveries · Analytical Bakery",
      [`deliveries/${delivery}`]: "ord_291 · Delivery · Analytical Bakery",
      [`webhooks/${id}`]: `${new URL(world.origin).host}/hook · Webhook · Analytical Bakery`,
    };
    for (const [screen, title] of Object.entries(titles)) {
      await open(screen);
      await expect.poll(() => page.title()).toBe(title);
    }
    for (const width of [1_280, 768, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await page.getByRole("button", { name: "Account Analytical Bakery" }).getByText("Analytical").waitFor();
    }
    const skip = page.getByRole("link", { name: "Skip to content" });
    await skip.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator("h1:focus").count()).toBe(1);
    await expect.poll(() => page.title()).toContain("Webhook");
  });

  it("shows what is chosen, marks and the focus in forced colours", async () => {
    await using visited = await visit();
    const { page, open } = visited;
    await fillLists(visited);
    await page.emulateMedia({ forcedColors: "active" });
    await open("deliveries");
    const styleOf = (selector: string, name: string, pseudo?: string): Promise<string> =>
      page
        .locator(selector)
        .first()
        .evaluate((element, [name, pseudo]) => getComputedStyle(element, pseudo).getPropertyValue(name), [
          name,
          pseudo,
        ] as const);
    const ground = await styleOf("body", "background-color");
    expect(await styleOf(".tabs a[aria-current]", "border-bottom-color")).not.toBe(ground);
    expect(await styleOf(".tabs a:not([aria-current])", "border-bottom-color")).toBe(ground);
    for (const chosen of [".segments label:has(:checked)", ".sidebar a[aria-current]"])
      expect([chosen, await styleOf(chosen, "outline-style")]).toEqual([chosen, "solid"]);
    expect(await styleOf(".live i", "background-color")).not.toBe(ground);
    expect(await styleOf(".bar .good", "fill")).not.toBe(ground);
    await open("");
    expect(await styleOf(".legend .good", "background-color", "::before")).not.toBe(ground);
    await page.keyboard.press("Tab");
    expect(await styleOf(":focus", "outline-style")).toBe("solid");
  });

  it("spends nothing of the account's rate limit, and opens without it", async () => {
    await using visited = await visit();
    const { page, open } = visited;
    const { hookwright, account } = visited.world;
    await hookwright.accounts.put(account, { limits: { requests_per_minute: 1 } });
    const { api_key: key } = await hookwright.apiKeys.create(account, { name: "Tool" });
    const headers = { authorization: `Bearer ${key}` };
    const ask = async (): Promise<number> =>
      (await hookwright.fetch(new Request("http://localhost/v1/me", { headers }))).status;
    await open("");
    for (const { title } of sections) await openSection(page, title);
    expect([await ask(), await ask()]).toEqual([200, 429]);
    await page.reload();
    await openSection(page, "Requests");
    expect(await page.getByRole("alert").count()).toBe(0);
    // The request log is written after the responses.
    const refused = async (): Promise<number> => {
      await page.getByRole("button", { name: "Refresh" }).click();
      return page.getByRole("cell", { name: "429" }).count();
    };
    await expect.poll(refused).toBeGreaterThan(0);
  });

  it("shows that the rate limit refused a request, and polls again after a minute at the earliest", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await world.hookwright.accounts.put(world.account, { limits: { console_requests_per_minute: 60 } });
    world.answerWith("nothing");
    await world.createWebhook("/hook");
    const [delivery] = await world.publish("rev_1");
    await open("keys");
    // The end of the attempt would be shown at once.
    await pauseLive(page);
    await page.clock.install();
    await page.goto(`${visited.address}#/deliveries/${delivery}`);
    await page.getByText("not yet").waitFor();
    for (let request = 0; request < 60; request++) await world.ask("GET /console/api/keys");
    let asked = 0;
    page.on("request", (request) => {
      if (request.url().endsWith(`/console/api/deliveries/${delivery}`)) asked += 1;
    });
    await page.clock.runFor(2_500);
    await page.getByText("More than 60 requests to the console API in a minute.").waitFor();
    expect(asked).toBe(1);
    await page.clock.runFor(50_000);
    expect(asked).toBe(1);
    await page.clock.runFor(10_000);
    await expect.poll(() => asked).toBe(2);
  });

  it("shows the names of more sites than fit on one page", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    for (let site = 1; site <= 120; site++)
      await world.hookwright.projects.put(`more_${site}`, {
        account_id: world.account,
        name: `Branch ${site}`,
      });
    await open("webhooks");
    const sites = page.getByRole("combobox", { name: "Site" }).locator("option");
    await expect.poll(() => sites.allTextContents()).toHaveLength(123);
    await expect
      .poll(() => sites.allTextContents())
      .toEqual(expect.arrayContaining(["All sites", "Shop", "Blog", "Branch 1", "Branch 120"]));
  });

  it("says that something other than the API responded", async () => {
    await using visited = await visit();
    const { page, open, complaints } = visited;
    await open("webhooks");
    for (const body of ["null", "<html>", '{"success":true,"data":{}}', '{"error":"no"}']) {
      await intercept(page, "**/console/api/keys**", (route) => route.fulfill({ status: 502, body }));
      await openSection(page, "Keys");
      await page.getByText("Is there a proxy in between?").waitFor();
      await page.unroute("**/console/api/keys**");
      await openSection(page, "Webhooks");
      await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
    }
    expect(complaints).toEqual([]);
  });
});
