import type { Browser, Locator, Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import type { Hookwright } from "../../src/create-hookwright.ts";
import type { HookwrightOptions } from "../../src/options/options.ts";
import { intercept, openPage, shareBrowser } from "./open-browser.ts";
import { openHookwright, openWorld } from "./open-console.ts";
import type { CreatedWebhook, World } from "./open-console.ts";
import { useQuickScrypt } from "../../../service/test/support/quick-scrypt.ts";
import { openSite } from "./open-site.ts";
import type { Site, SiteOptions } from "./open-site.ts";

export const password = "correct horse battery";

export interface Visit extends AsyncDisposable {
  readonly world: World;
  /** A new tab that is still empty. */
  readonly page: Page;
  /** Recorded violations: what our pages must never do. */
  readonly complaints: readonly string[];
  /** The address of the console. */
  readonly address: string;
  /** Shows a screen in the tab, such as `webhooks`. The first call also gives the tab the session of the account. */
  open(screen: string): Promise<void>;
  /** Closes all connections of the console to its server. */
  dropConnections(): void;
  /** Sends nothing more on the present connections, and leaves them open. */
  silenceConnections(): void;
}

let visits = 0;

/** One server for the tests of a suite. Each visit has an account and a window of its own. */
export function prepareVisits({
  mount = "",
  otherPage,
  ...options
}: SiteOptions & Partial<HookwrightOptions> = {}): () => Promise<Visit> {
  useQuickScrypt();
  const resources = new AsyncDisposableStack();
  let hookwright: Hookwright;
  let site: Site;
  let browser: Browser;
  beforeAll(async () => {
    browser = await shareBrowser();
    hookwright = await openHookwright(options);
    resources.defer(() => hookwright.close());
    site = resources.use(await openSite(hookwright, { mount, otherPage }));
  });
  afterAll(() => resources.disposeAsync());

  return async (): Promise<Visit> => {
    const world = await openWorld(hookwright, { suffix: `_${++visits}`, password });
    const { page, complaints, [Symbol.asyncDispose]: leave } = await openPage(browser, site.origin);
    const address = `${site.origin}${mount}/console`;
    return {
      world,
      page,
      complaints,
      address,
      async open(screen) {
        const url = `${address}#/${screen}`;
        await (page.url() === "about:blank" ? openSignedIn(page, url, world) : page.goto(url));
        await page.getByRole("heading", { level: 1 }).waitFor();
        // From here on the page learns of all changes.
        await page.getByRole("button", { name: "Live", exact: true }).waitFor();
      },
      dropConnections: site.dropConnections,
      silenceConnections: site.silenceConnections,
      async [Symbol.asyncDispose]() {
        await leave();
        // Its retries must not use the time of the next test.
        await hookwright.accounts.put(world.account, { status: "suspended" });
        await world[Symbol.asyncDispose]();
      },
    };
  };
}

/** Opens the console with a session where it keeps one over a reload. */
async function openSignedIn(page: Page, url: string, { session }: World): Promise<void> {
  await using _script = await page.addInitScript((kept) => {
    window.name = "visit";
    history.replaceState({ session: kept, mark: window.name }, "");
  }, session);
  await page.goto(url);
}

/** @param heading the heading of the screen for the address */
export async function signIn(
  { page, world }: Pick<Visit, "page" | "world">,
  heading = "Overview",
): Promise<void> {
  await page.getByLabel("E-mail").fill(world.email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: heading, exact: true }).waitFor();
}

/** Creates a webhook of reviews in the dialog, and goes live without a test. Returns the signing secret. */
export async function createWebhook(page: Page, url: string): Promise<string> {
  await page.getByRole("button", { name: "Create webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URL").fill(url);
  await dialog.getByRole("checkbox", { name: /order\.created/u }).uncheck();
  await dialog.getByRole("checkbox", { name: /review\.submitted/u }).check();
  await dialog.getByRole("button", { name: "Create webhook" }).click();
  const secret = await page.getByLabel("Signing secret", { exact: true }).inputValue();
  await page.getByRole("button", { name: "Skip and go live" }).click();
  await page.getByText("It is live").waitFor();
  await page.getByRole("button", { name: "I have stored it" }).click();
  return secret;
}

/** Creates a webhook for the world's receiver and opens its page, or a part of it such as `?tab=secret`. */
export async function openNewWebhook({ world, open }: Visit, part = ""): Promise<CreatedWebhook> {
  const webhook = await world.createWebhook("/hook");
  await open(`webhooks/${webhook.id}${part}`);
  return webhook;
}

/** The link of a webhook in the list. It shows the path and the host, and the whole URL as its tooltip. */
export function webhookLink(page: Page, url: string): Locator {
  return page.getByRole("link").filter({ has: page.getByTitle(url, { exact: true }) });
}

/** Opens a part of a webhook: Overview, Deliveries, Settings or Secret. */
export async function openPart(page: Page, name: string): Promise<void> {
  const parts = page.getByRole("navigation", { name: "Parts of the webhook" });
  await parts.getByRole("link", { name }).click();
}

/** Opens the question whether the shown webhook is deleted. */
export async function askToDelete(page: Page): Promise<void> {
  await openPart(page, "Settings");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
}

/** Sends a test and returns the drawer with its result. Its title begins with "Test". */
export async function sendTest(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Send test" }).click();
  await page.getByRole("dialog", { name: "Send a test" }).getByRole("button", { name: "Send test" }).click();
  const result = page.getByRole("dialog", { name: /^Test/u });
  await result.waitFor();
  return result;
}

/** Types into the field that must have the focus. The browser moves the focus some time after the key that causes it. */
export async function typeInto(field: Locator, text: string): Promise<void> {
  const { keyboard } = field.page();
  await field.and(field.page().locator(":focus")).waitFor();
  await keyboard.type(text);
  await expect.poll(() => field.inputValue()).toBe(text);
}

/** Stops live changes, so that the page can show an outdated state. */
export async function pauseLive(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Live", exact: true }).click();
  await page.getByRole("button", { name: "Paused", exact: true }).waitFor();
}

/** The token of the session that a tab keeps. */
export const tokenIn = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => history.state?.session?.token);

export async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Account /u }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
}

/** Publishes `rev_1` and so on, and waits until they are delivered. */
export async function publishMany(world: World, count: number): Promise<void> {
  for (let record = 1; record <= count; record++) await world.publish(`rev_${record}`);
  await world.settled();
}

export interface Held {
  readonly asked: Promise<unknown>;
  /** Resolves after the response arrived or the page cancelled the request, and the screen shows the result. */
  readonly settled: Promise<unknown>;
  /** Releases the waiting request and all later ones. */
  release(): void;
}

/** The requests of a page that have not finished. The stream of changes never ends. */
export function watchPending(page: Page): ReadonlySet<Request> {
  const pending = new Set<Request>();
  page.on("request", (request) => {
    if (!request.url().endsWith("/console/api/events")) pending.add(request);
  });
  page.on("requestfinished", (request) => pending.delete(request));
  page.on("requestfailed", (request) => pending.delete(request));
  return pending;
}

/** Holds requests for a URL, or their responses, as a slow network does. */
export async function hold(page: Page, url: string, what: "request" | "answer"): Promise<Held> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: asked, resolve: noteAsked } = Promise.withResolvers<void>();
  const { promise: settled, resolve: noteSettled } = Promise.withResolvers<void>();
  await intercept(page, url, async (route) => {
    const response = what === "answer" ? await route.fetch() : undefined;
    noteAsked();
    await released;
    // A request that the page has cancelled cannot get a response.
    await (response === undefined ? route.continue() : route.fulfill({ response })).catch(() => undefined);
    await (
      await route
        .request()
        .response()
        .catch(() => null)
    )?.finished();
    // Two frames, so that the screen shows the result.
    for (let frame = 1; frame <= 2; frame++) {
      await page
        .evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
        .catch((error: unknown) => {
          // A test that does not wait for it may have ended by then.
          if (!page.isClosed()) throw error;
        });
    }
    noteSettled();
  });
  return { asked, settled, release };
}
