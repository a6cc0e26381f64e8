import { spawnSync } from "node:child_process";
import { chromium } from "playwright-core";
import type { Browser, Page } from "playwright-core";

export type { Browser, Page } from "playwright-core";

/** The headless shell is the same browser without its window, and takes half the time. */
const programs = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

const program = programs.find((name) => spawnSync(name, ["--version"]).status === 0);

/** True if a Chromium is on the path. With `CI=true` a missing one is an error, printed in one line. */
export const hasBrowser = ((): boolean => {
  if (program !== undefined) return true;
  const line =
    "The suites of the developer site need Chromium on the path. Install it, for example with apt-get install chromium.";
  if (process.env["CI"] === "true") throw new Error(line);
  process.stderr.write(`${line} They did not run.\n`);
  return false;
})();

/** A real browser without a window. */
export async function openBrowser(): Promise<Browser> {
  const path = spawnSync("which", [program ?? "chromium"], { encoding: "utf8" }).stdout.trim();
  return chromium.launch({
    executablePath: path,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
    ],
  });
}

export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  /** Records what our pages must never do: throw, violate their own policy, contact another origin. */
  readonly complaints: string[];
}

/** Opens a page at `origin` without any stored state. */
export async function openPage(browser: Browser, origin: string): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 860 } });
  const page = await context.newPage();
  // A slow machine takes 10 s to open a page.
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  // On all tabs of the context.
  context.on("weberror", (failure) => complaints.push(`threw: ${failure.error().message}`));
  context.on("console", (message) => {
    // The browser logs statuses such as 401 as errors, although the page handles them.
    const isAnswer = message.text().startsWith("Failed to load resource: the server responded");
    if (message.type() === "error" && !isAnswer) complaints.push(`complained: ${message.text()}`);
  });
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol !== "data:" && url.origin !== origin) complaints.push(`asked ${request.url()}`);
  });
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}

/**
 * `page.route` that has begun when it resolves: the first route of a page turns interception on, and requests right after that are
 * still sent unseen. Pages begin without it, because it costs CPU time with each request.
 */
export async function intercept(
  page: Page,
  url: string | RegExp,
  handle: Parameters<Page["route"]>[1],
): Promise<void> {
  await page.route(url, handle);
  // The requests of a page that opens later are all seen.
  if (page.url() === "about:blank") return;
  await page.route("**/probe", (route) => route.fulfill({ status: 204 }));
  while ((await page.evaluate(async () => (await fetch("probe")).status)) !== 204);
}
