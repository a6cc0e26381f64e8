import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import type { BrowserContext, Page } from "playwright-core";
import { openBrowser } from "../test/support/open-browser.ts";
import { openSite } from "../test/support/open-site.ts";
import { hashFile, hashPictureSources } from "./hash-picture-sources.ts";
import { writeApng } from "./write-apng.ts";
import type { Frame } from "./write-apng.ts";
import { openSeededAccount, owner } from "./seeded-account.ts";

/**
 * Takes the pictures of the docs. With a folder as its argument, it takes every screen in both colour schemes and three
 * widths into that folder instead.
 */
const folder = process.argv[2];
const docs = path.join(import.meta.dirname, "../../../docs");
const images = path.join(docs, "images");
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
      const page = await openTab(context);
      if (folder === undefined) {
        await show(page, "#/");
        await page.screenshot({ path: path.join(images, `console-${colorScheme}.png`) });
        await show(page, "#/deliveries?status=failed");
        await openFirstPage(page);
        await page.waitForTimeout(700);
        await page.screenshot({ path: path.join(images, `delivery-${colorScheme}.png`) });
        // It repairs the account, so it is the last one.
        if (colorScheme === schemes.at(-1)) await takeAnimations();
      } else await takeAll(page, path.join(folder, `${width}-${colorScheme}`));
      await context.close();
    }
  if (folder === undefined) {
    await takeSocialCard();
    await writeFile(hashFile, `${hashPictureSources()}\n`);
  }
} finally {
  await browser.close();
  await site[Symbol.asyncDispose]();
  await account[Symbol.asyncDispose]();
}

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.on("pageerror", (error) => process.stderr.write(`${error.stack}\n`));
  // In production receivers have names.
  await page.route("**/console/api/**", async (route) => {
    if (route.request().url().includes("/console/api/events")) return route.continue();
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(account.receiverOrigin, "https://hooks.bakery.example");
    await route.fulfill({ response, body });
  });
  await signIn(page);
  await page.evaluate(() => document.fonts.ready);
  return page;
}

async function signIn(page: Page): Promise<void> {
  await page.goto(`${site.origin}/console`);
  await page.getByLabel("E-mail").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
}

/** Fail, reason, recover: a short animation in each scheme. */
async function takeAnimations(): Promise<void> {
  const tabs = await Promise.all(
    schemes.map(async (colorScheme) => {
      const context = await browser.newContext({ viewport: { width: 1_120, height: 700 }, colorScheme });
      const page = await openTab(context);
      await show(page, "#/");
      const frames: Frame[] = [];
      return { colorScheme, context, page, frames };
    }),
  );
  const take = (delayMs: number): Promise<unknown> =>
    Promise.all(tabs.map(async ({ page, frames }) => frames.push({ png: await page.screenshot(), delayMs })));
  const doAll = async (work: (page: Page) => Promise<unknown>): Promise<void> => {
    await Promise.all(tabs.map(({ page }) => work(page)));
    await Promise.all(tabs.map(({ page }) => page.waitForTimeout(700)));
  };
  await take(2_600);
  await doAll((page) => show(page, "#/deliveries?status=failed"));
  await doAll(openFirstPage);
  await take(3_200);
  await doAll((page) => show(page, "#/"));
  await doAll((page) =>
    page
      .getByRole("link", { name: /recover/iu })
      .first()
      .click(),
  );
  await take(2_800);
  account.repair();
  // The other tab shows what the first one does.
  const [first, ...others] = tabs;
  await first?.page
    .getByRole("dialog")
    .getByRole("button", { name: /send again$/iu })
    .click();
  await Promise.all(others.map(({ page }) => page.keyboard.press("Escape")));
  await doAll((page) => show(page, "#/"));
  await doAll((page) => page.getByText(/No webhook needs attention/u).waitFor());
  // The last ones are sent again, and the message disappears.
  await doAll((page) => page.waitForTimeout(5_000));
  await take(3_400);
  for (const { colorScheme, context, frames } of tabs) {
    await writeFile(path.join(images, `recover-${colorScheme}.png`), writeApng(frames));
    await context.close();
  }
}

/** What other sites show beside a link: the sentence and the overview, 1200 × 630. */
async function takeSocialCard(): Promise<void> {
  await using page = await browser.newPage({ viewport: { width: 1_200, height: 630 } });
  const picture = (await readFile(path.join(images, "console-light.png"))).toString("base64");
  const icon = await readFile(path.join(docs, ".vitepress/public/icon.svg"), "utf8");
  const font = `${site.origin}/console/geist.woff2`;
  await page.goto(`${site.origin}/healthz`);
  await page.setContent(`<style>
    @font-face { font-family: Geist; src: url("${font}"); font-weight: 100 900 }
    body { margin: 0; padding: 64px; font: 600 60px/1.1 Geist; color: #17201f; background: #fafaf9; overflow: hidden }
    p { display: flex; gap: 16px; align-items: center; margin: 0 0 28px; font-size: 30px }
    svg { width: 48px } h1 { margin: 0 0 40px; font: inherit; letter-spacing: -0.02em }
    img { width: 1072px; border: 1px solid #e3e7e5; border-radius: 12px; box-shadow: 0 12px 40px #17201f22 }
    </style><p>${icon} Hookwright</p><h1>Webhooks your customers can debug</h1>
    <img src="data:image/png;base64,${picture}">`);
  await page.evaluate(() => document.fonts.load("600 60px Geist"));
  await page.screenshot({ path: path.join(docs, ".vitepress/public/social-card.png") });
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
