import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hasBrowser, intercept } from "../support/open-browser.ts";
import { choosePart } from "../support/console-screens.ts";
import {
  openNewWebhook,
  openPart,
  prepareVisits,
  publishMany,
  sendTest,
  typeInto,
} from "../support/visit-console.ts";

/** Presses a button with the keyboard. */
async function press(button: Locator): Promise<void> {
  await button.focus();
  await button.press("Enter");
}

/** The focused element and the beginning of its text. */
const focusOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { tagName = "", textContent = "" } = document.activeElement ?? {};
    return `${tagName} ${tagName === "BODY" ? "" : textContent}`;
  });

describe.runIf(hasBrowser)("focus and announcements in the console", { timeout: 120_000 }, () => {
  const visit = prepareVisits();

  it("Escape never closes the dialog of a secret", async () => {
    await using visited = await visit();
    const { page, open } = visited;
    await open("keys");
    await press(page.getByRole("button", { name: "Create key" }));
    await typeInto(page.getByRole("dialog").getByLabel("Name"), "Zapier");
    await page.keyboard.press("Enter");
    const secret = page.getByRole("textbox", { name: "API key" });
    await secret.waitFor();
    for (let time = 1; time <= 4; time++) {
      await page.keyboard.press("Escape");
      await expect.poll(() => page.locator("dialog:modal textarea").count()).toBe(1);
    }
    await expect.poll(() => secret.inputValue()).toMatch(/^hwk_/u);
    await press(page.getByRole("button", { name: "I have stored it" }));
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => focusOf(page)).toBe("BUTTON Create key");
  });

  it("the row of a key gets the focus when its button disappears", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    for (const name of ["Warehouse", "Zapier"])
      await world.hookwright.apiKeys.create(world.account, { name });
    await open("keys");
    await press(page.getByRole("button", { name: "Revoke Zapier" }));
    await press(page.getByRole("button", { name: "Revoke key" }));
    await expect.poll(() => focusOf(page)).toMatch(/^TR Zapier/u);
  });

  it("the rotation gets the focus after the dialog of its secret closes", async () => {
    await using visited = await visit();
    const { page } = visited;
    await openNewWebhook(visited);
    await openPart(page, "Secret");
    await press(page.getByRole("button", { name: "Rotate signing secret" }));
    await press(page.getByRole("button", { name: "Create a new secret" }));
    await press(page.getByRole("button", { name: "I have stored it" }));
    await expect.poll(() => focusOf(page)).toBe("H2 Signing secret");
  });

  it("says that the server does not respond, and the heading gets the focus when a retry succeeds", async () => {
    await using visited = await visit();
    const { page, open } = visited;
    await intercept(page, "**/console/api/keys**", (route) => route.abort());
    await open("keys");
    const again = page.getByRole("button", { name: "Try again" });
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("The server does not respond.");
    await page.unroute("**/console/api/keys**");
    await press(again);
    await page.getByRole("heading", { name: "No keys yet" }).waitFor();
    await expect.poll(() => focusOf(page)).toBe("H1 Keys");
  });

  it("the focus stays where the user put it with the pointer", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await world.hookwright.apiKeys.create(world.account, { name: "Zapier" });
    await open("keys");
    const revoke = page.getByRole("button", { name: "Revoke Zapier" });
    await revoke.focus();
    await page.locator(".stage").click({ position: { x: 5, y: 600 } });
    const [{ id } = { id: "" }] = (await world.ask("GET /console/api/keys")).rows;
    await world.ask(`POST /console/api/keys/${id}/revoke`);
    await revoke.waitFor({ state: "detached" });
    await expect.poll(() => focusOf(page)).toBe("BODY ");
  });

  it("the number of shown rows and the end of a list are announced", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await world.createWebhook("/hook");
    await publishMany(world, 51);
    await open("deliveries");
    const status = page.getByRole("main").getByRole("status").filter({ hasText: "shown" });
    await status.waitFor();
    await expect.poll(() => status.textContent()).toBe("25 shown");
    const more = page.getByRole("button", { name: "Load more" });
    await press(more);
    await expect.poll(() => status.textContent()).toBe("50 shown");
    await expect.poll(() => focusOf(page)).toBe("BUTTON Load more");
    await press(more);
    await expect.poll(() => focusOf(page)).toBe("P All 51 shown");
  });

  it("only a one-sentence result of a test is announced", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await openNewWebhook(visited);
    // Screen readers announce the name of a dialog that opens. Everything outside a modal dialog is silent.
    await sendTest(page);
    const accepted = page.getByRole("dialog", { name: "Test: 204, accepted" });
    await choosePart(accepted, "Headers");
    await expect
      .poll(() => page.getByRole("status").filter({ hasText: "X-Service-Signature" }).count())
      .toBe(0);
    await page.keyboard.press("Escape");
    await accepted.waitFor({ state: "detached" });
    world.answerWith(500);
    await sendTest(page);
    await page.getByRole("dialog", { name: "Test: 500, not accepted" }).waitFor();
  });

  it("scrollable areas without controls can be scrolled with the keyboard", async () => {
    await using visited = await visit();
    const { page } = visited;
    await openNewWebhook(visited);
    await page.setViewportSize({ width: 390, height: 844 });
    await sendTest(page);
    const body = page.getByRole("group", { name: "Request body" });
    await body.focus();
    await body.press("End");
    await expect.poll(() => body.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
    await choosePart(page, "Tree");
    await body.focus();
    await expect.poll(() => focusOf(page)).toMatch(/^DIV /u);
  });

  it("the writing direction of a name does not affect the text around it", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await world.hookwright.apiKeys.create(world.account, { name: "abc\u202Etxt.exe" });
    await open("keys");
    await page.getByRole("button", { name: /^Revoke abc/u }).click();
    const heading = page.getByRole("dialog").getByRole("heading");
    await expect.poll(() => heading.textContent()).toBe("Revoke “abc\u202Etxt.exe”?");
    const behind = await heading.evaluate((element) => {
      const all = document.createRange();
      all.selectNodeContents(element);
      const last = document.createRange();
      const { lastChild } = element;
      if (lastChild === null) return undefined;
      last.setStart(lastChild, (lastChild.textContent ?? "").length - 1);
      last.setEnd(lastChild, (lastChild.textContent ?? "").length);
      return all.getBoundingClientRect().right - last.getBoundingClientRect().right;
    });
    expect(behind).toBe(0);
  });
});
