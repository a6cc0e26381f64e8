import { spawnSync } from "node:child_process";
import { chromium } from "playwright-core";
import type { Browser, BrowserContext, ConsoleMessage, Page, Request, WebError } from "playwright-core";

export type { Browser, Page } from "playwright-core";

declare global {
  /** Of all test files of this process. Their environment closes it. */
  var sharedBrowser: Promise<Browser> | undefined;
}

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
      "--process-per-site",
    ],
  });
}

/** Opens the browser that the test files of a process share. */
export function shareBrowser(): Promise<Browser> {
  return (globalThis.sharedBrowser ??= openBrowser());
}

export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  /** Records what our pages must never do: throw, violate their own policy, contact another origin. */
  readonly complaints: string[];
}

/** A context whose data is empty, with a page that keeps its renderer process, which has compiled the code of the console. */
interface EmptyContext {
  readonly context: BrowserContext;
  readonly keeper: Page;
  /** Whether a test took over its clock. Nothing gives it back. */
  readonly hasOwnClock: () => boolean;
}

const emptyContexts = new WeakMap<Browser, EmptyContext[]>();

/** The pages of one site share a process: see `--process-per-site`. */
async function takeContext(browser: Browser, origin: string): Promise<EmptyContext> {
  let taken = emptyContexts.get(browser)?.pop();
  if (taken === undefined) {
    const context = await browser.newContext({ viewport: { width: 1_280, height: 860 } });
    taken = { context, keeper: await context.newPage(), hasOwnClock: watchClock(context) };
  }
  if (!taken.keeper.url().startsWith(`${origin}/`)) await taken.keeper.goto(`${origin}/kept`);
  return taken;
}

/** The clock of a context is that of all its pages. */
function watchClock({ clock }: BrowserContext): () => boolean {
  let isOwn = false;
  for (const name of ["install", "pauseAt", "setFixedTime", "setSystemTime"] as const) {
    const change = clock[name];
    const value = (...args: unknown[]): unknown => {
      isOwn = true;
      return Reflect.apply(change, clock, args);
    };
    Object.defineProperty(clock, name, { value });
  }
  return () => isOwn;
}

async function emptyContext(browser: Browser, taken: EmptyContext): Promise<void> {
  const { context, keeper, hasOwnClock } = taken;
  if (hasOwnClock()) return context.close();
  await context.unrouteAll({ behavior: "ignoreErrors" });
  for (const page of context.pages()) if (page !== keeper) await page.close();
  await context.clearCookies();
  await context.clearPermissions();
  await keeper.evaluate(() => localStorage.clear());
  emptyContexts.set(browser, [...(emptyContexts.get(browser) ?? []), taken]);
}

/** Opens a page at `origin` without any stored state. */
export async function openPage(browser: Browser, origin: string): Promise<WatchedPage> {
  const taken = await takeContext(browser, origin);
  const { context } = taken;
  const page = await context.newPage();
  // A slow machine takes 10 s to open a page.
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  // On all tabs of the context.
  const onError = (failure: WebError): void => void complaints.push(`threw: ${failure.error().message}`);
  const onConsole = (message: ConsoleMessage): void => {
    // The browser logs statuses such as 401 as errors, although the page handles them.
    const isAnswer = message.text().startsWith("Failed to load resource: the server responded");
    if (message.type() === "error" && !isAnswer) complaints.push(`complained: ${message.text()}`);
  };
  const onRequest = (request: Request): void => {
    const url = new URL(request.url());
    if (url.protocol !== "data:" && url.origin !== origin) complaints.push(`asked ${request.url()}`);
  };
  context.on("weberror", onError).on("console", onConsole).on("request", onRequest);
  return {
    page,
    complaints,
    async [Symbol.asyncDispose]() {
      context.off("weberror", onError).off("console", onConsole).off("request", onRequest);
      await emptyContext(browser, taken);
    },
  };
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
