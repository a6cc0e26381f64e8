import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openDeliveryPage, openSection } from "../support/console-screens.ts";
import { placesOf } from "../support/measure-console.ts";
import { hasBrowser } from "../support/open-browser.ts";
import type { Visit } from "../support/visit-console.ts";
import { prepareVisits, publishMany, typeInto } from "../support/visit-console.ts";

const hashOf = (page: Page): Promise<string> => page.evaluate(() => location.hash);

/** The text of the row with the focus. */
const focusedRow = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => document.activeElement?.closest("tr")?.querySelector(".record")?.textContent);

/** Opens the list of deliveries: `rev_3`, `rev_2` and `rev_1`. */
async function openThree({ page, world, open }: Visit): Promise<void> {
  await world.createWebhook("/hook");
  await publishMany(world, 3);
  await open("deliveries");
  await page.getByRole("link", { name: "rev_3", exact: true }).waitFor();
}

describe.runIf(hasBrowser)("the keyboard in the console", { timeout: 120_000 }, () => {
  const visit = prepareVisits();

  it("Ctrl+K finds a page, a webhook and a record", async () => {
    await using visited = await visit();
    const { page, complaints } = visited;
    await openThree(visited);
    const find = async (text: string, option: RegExp): Promise<void> => {
      await page.keyboard.press("Control+k");
      const search = page.getByRole("dialog", { name: "Search" });
      const field = search.getByRole("combobox");
      await field.fill(text);
      await search.getByRole("option", { name: option }).waitFor();
      // The list has the chosen option, and the focus stays in the field.
      for (let step = 1; step <= 10; step++) {
        const chosen = await search.getByRole("option", { selected: true }).textContent();
        if (option.test(chosen ?? "")) break;
        await page.keyboard.press("ArrowDown");
      }
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    await find("requ", /^Requests/u);
    await page.getByRole("heading", { name: "Requests", level: 1 }).waitFor();
    await find("/hook", /hook.*webhook$/u);
    await page.getByRole("heading", { name: /\/hook$/u, level: 1 }).waitFor();
    await find("REV_2", /^rev_2.*record id · delivery$/u);
    await page.getByRole("heading", { name: /rev_2/u, level: 2 }).waitFor();
    await expect.poll(() => hashOf(page)).toMatch(/^#\/deliveries\/dlv_/u);
    await find("Ada@example.com", /^rev_3 · ada@example.com.*e-mail address · record$/u);
    await expect.poll(() => hashOf(page)).toBe("#/deliveries?q=rev_3");
    expect(complaints).toEqual([]);
  });

  it("g and a second key open each section, and its heading gets the focus", async () => {
    await using visited = await visit();
    const { page, open } = visited;
    await open("webhooks");
    // The second key counts for a short time only. This time does not pass.
    await page.clock.setFixedTime(Date.now());
    const titles = ["Deliveries", "Events", "Listen", "Requests", "Keys", "Webhooks", "Overview"];
    for (const title of titles) {
      await page.keyboard.press("g");
      await page.keyboard.press(title.charAt(0).toLowerCase());
      await expect.poll(() => page.locator("h1:focus").textContent()).toBe(title);
    }
  });

  it("j and Enter open a row, j opens the next one, and Escape returns to its row", async () => {
    await using visited = await visit();
    const { page } = visited;
    await openThree(visited);
    const drawer = page.getByRole("dialog", { name: "Delivery" });
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await expect.poll(() => focusedRow(page)).toBe("rev_3");
    await page.keyboard.press("Enter");
    await drawer.getByRole("heading", { name: /rev_3/u }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Delivery");
    await page.keyboard.press("j");
    await drawer.getByRole("heading", { name: /rev_2/u }).waitFor();
    await page.keyboard.press("j");
    await drawer.getByRole("heading", { name: /rev_1/u }).waitFor();
    await page.keyboard.press("k");
    await drawer.getByRole("heading", { name: /rev_2/u }).waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    await expect.poll(() => focusedRow(page)).toBe("rev_2");
    await expect.poll(() => hashOf(page)).toBe("#/deliveries");
  });

  it("j and k on the page of a delivery open those of the list that the user came from", async () => {
    await using visited = await visit();
    const { page } = visited;
    await openThree(visited);
    await openDeliveryPage(page, "rev_3");
    await page.keyboard.press("j");
    await page.getByRole("heading", { name: /rev_2/u, level: 2 }).waitFor();
    await page.keyboard.press("j");
    await page.getByRole("heading", { name: /rev_1/u, level: 2 }).waitFor();
    await page.keyboard.press("k");
    await page.getByRole("heading", { name: /rev_2/u, level: 2 }).waitFor();
    const hash = await hashOf(page);
    await page.reload();
    await page.getByRole("heading", { name: /rev_2/u, level: 2 }).waitFor();
    await page.keyboard.press("j");
    await expect.poll(() => hashOf(page)).toBe(hash);
    await page.goBack();
    await page.getByRole("link", { name: "rev_3", exact: true }).waitFor();
  });

  it("x selects rows, and r asks before it sends them again", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await openThree(visited);
    for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key);
    await page.getByRole("group", { name: "Selected deliveries" }).getByText("2 selected").waitFor();
    await page.keyboard.press("r");
    const question = page.getByRole("dialog", { name: "Send these 2 deliveries again?" });
    await question.waitFor();
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    expect(world.received).toHaveLength(3);
    await page.keyboard.press("r");
    await question.waitFor();
    await question.getByRole("button", { name: "Resend" }).press("Enter");
    await page.getByRole("status").filter({ hasText: "2 are being sent again." }).waitFor();
    await expect.poll(() => world.received.length).toBe(5);
  });

  it("c copies the id of a delivery, and r asks before it sends it again", async () => {
    await using visited = await visit();
    const { page } = visited;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await openThree(visited);
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    const drawer = page.getByRole("dialog", { name: "Delivery" });
    await drawer.getByRole("heading", { name: /rev_3/u }).waitFor();
    const resend = drawer.getByRole("button", { name: "Resend" });
    const [before] = await placesOf(resend);
    await page.keyboard.press("c");
    await drawer.getByText("Copied.").waitFor();
    expect(await placesOf(resend)).toEqual([before]);
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^dlv_/u);
    await page.keyboard.press("r");
    await page.getByRole("dialog", { name: "Send this delivery again?" }).waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor();
  });

  it("j moves through the rows of each list", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    const { api_key } = await world.hookwright.apiKeys.create(world.account, { name: "Zapier" });
    const headers = { authorization: `Bearer ${api_key}` };
    await world.hookwright.fetch(new Request("http://localhost/v1/me", { headers }));
    await world.createWebhook("/hook");
    await open("keys");
    for (const name of ["Webhooks", "Requests"]) {
      await openSection(page, name);
      await page.locator("tbody .row-link").first().waitFor();
      await page.keyboard.press("j");
      expect([name, await page.locator("tbody tr:has(:focus)").count()]).toEqual([name, 1]);
    }
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Request", exact: true }).waitFor();
  });

  it("? lists the shortcuts, and a switch turns them off until it is used again", async () => {
    await using visited = await visit();
    const { page, open } = visited;
    await open("webhooks");
    await page.clock.setFixedTime(Date.now());
    const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await page.keyboard.press("?");
    await expect
      .poll(() => list.getByRole("term").allTextContents())
      .toEqual(expect.arrayContaining(["g d", "j, k", "x", "?"]));
    await list.getByRole("checkbox").uncheck();
    await page.keyboard.press("Escape");
    await page.reload();
    await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
    for (const key of ["g", "d", "?"]) await page.keyboard.press(key);
    await expect.poll(() => hashOf(page)).toBe("#/webhooks");
    await expect.poll(() => list.count()).toBe(0);
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Search" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Account/u }).click();
    await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
    await list.getByRole("checkbox").check();
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("d");
    await page.getByRole("heading", { name: "Deliveries", level: 1 }).waitFor();
  });

  it("shortcuts do nothing in fields and in questions", async () => {
    await using visited = await visit();
    const { page } = visited;
    await openThree(visited);
    await page.keyboard.press("/");
    await typeInto(
      page.getByRole("searchbox", { name: "Record, order number, e-mail, URL or id" }),
      "gdj?xr/",
    );
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await expect.poll(() => hashOf(page)).toBe("#/deliveries");
    await openSection(page, "Keys");
    await page.getByRole("button", { name: "Create key" }).click();
    const cancel = page.getByRole("dialog").getByRole("button", { name: "Cancel" });
    for (const key of ["g", "d", "?"]) await cancel.press(key);
    await expect.poll(() => page.getByRole("dialog").count()).toBe(1);
    await expect.poll(() => hashOf(page)).toBe("#/keys");
  });
});
