import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import type { Page } from "playwright-core";
import { openBrowser } from "../test/support/open-browser.ts";
import { openSite } from "../test/support/open-site.ts";
import { hashFile, hashPictureSources } from "./hash-picture-sources.ts";
import { openSeededAccount, owner } from "./seeded-account.ts";

/**
 * Takes the pictures of the docs. With a folder as its argument, it takes every screen in both colour schemes and three
 * widths into that folder instead.
 */
const folder = process.argv[2];
const images = path.join(import.meta.dirname, "../../../docs/images");
const schemes = ["light", "dark"] as const;
const widths = [1_440, 768, 360] as const;

/** The screens by name: their address, and what to do before the picture. */
const screens: readonly (readonly [name: string, hash: string, prepare?: (page: Page) => Promise<void>])[] = [
  ["overview", "#/"],
  ["webhooks", "#/webhooks"],
  ["webhook-disabled", "#/webhooks", openFirstRow],
  ["webhook", "#/webhooks", openLastRow],
  ["create-webhook", "#/webhooks?create=webhook"],
  ["deliveries", "#/deliveries"],
  ["deliveries-failed", "#/deliveries?status=failed"],
  ["delivery-drawer", "#/deliveries?status=failed", openFirstRow],
  ["delivery", "#/deliveries?status=failed", openFirstPage],
  ["events", "#/events"],
  ["listen", "#/listen"],
  ["requests", "#/requests"],
  ["keys", "#/keys"],
  ["activity", "#/activity"],
  ["palette", "#/", (page) => page.keyboard.press("Control+k")],
];

async function openFirstRow(page: Page): Promise<void> {
  await page.locator("tr[data-row] .row-link").first().click();
}

async function openLastRow(page: Page): Promise<void> {
  await page.locator("tr[data-row] .row-link").last().click();
}

async function openFirstPage(page: Page): Promise<void> {
  const link = page.locator("tr[data-row] a.row-link").first();
  const href = await link.getAttribute("href");
  await page.evaluate((hash) => location.assign(hash ?? ""), href);
}

const account = await openSeededAccount();
const site = await openSite(account.hookwright);
const browser = await openBrowser();
try {
  for (const colorScheme of schemes)
    for (const width of folder === undefined ? [1_440] : widths) {
      const height = width === 360 ? 740 : 900;
      const context = await browser.newContext({ viewport: { width, height }, colorScheme });
      const page = await context.newPage();
      page.on("pageerror", (error) => process.stderr.write(`${error.stack}\n`));
      // In production receivers have names.
      await page.route("**/console/api/**", async (route) => {
        if (route.request().url().includes("/console/api/events")) return route.continue();
        const response = await route.fetch();
        const body = (await response.text()).replaceAll(
          account.receiverOrigin,
          "https://hooks.bakery.example",
        );
        await route.fulfill({ response, body });
      });
      await signIn(page);
      if (folder === undefined) {
        await show(page, "#/");
        await page.screenshot({ path: path.join(images, `console-${colorScheme}.png`) });
      } else await takeAll(page, path.join(folder, `${width}-${colorScheme}`));
      await context.close();
    }
  if (folder === undefined) await writeFile(hashFile, `${hashPictureSources()}\n`);
} finally {
  await browser.close();
  await site[Symbol.asyncDispose]();
  await account[Symbol.asyncDispose]();
}

async function signIn(page: Page): Promise<void> {
  await page.goto(`${site.origin}/console`);
  await page.getByLabel("E-mail").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
}

async function show(page: Page, hash: string): Promise<void> {
  await page.evaluate((next) => location.assign(next), hash);
  await page.waitForTimeout(700);
}

async function takeAll(page: Page, into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  for (const [name, hash, prepare] of screens) {
    await page.keyboard.press("Escape");
    await show(page, hash);
    if (prepare !== undefined) {
      await prepare(page);
      await page.waitForTimeout(700);
    }
    await page.screenshot({ path: path.join(into, `${name}.png`), fullPage: name !== "palette" });
  }
}
