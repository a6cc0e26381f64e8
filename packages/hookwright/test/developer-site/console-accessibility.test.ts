// Every screen is measured at every width.
// @module-tag long

import axe from "axe-core";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { fillAccount, listScreens, show } from "../support/every-screen.ts";
import type { Shown } from "../support/every-screen.ts";
import { measureScreen } from "../support/measure-screen.ts";
import type { LayoutFaults } from "../support/measure-screen.ts";
import { createFakeOutbox, memoryStoreWith } from "../support/fake-outbox.ts";
import { hasBrowser, intercept } from "../support/open-browser.ts";
import { prepareVisits, watchPending } from "../support/visit-console.ts";

const widths = [1_600, 1_440, 1_200, 1_024, 768, 640, 480, 390, 360] as const;
/** A wide window and a phone have other elements. */
const layoutWidths: ReadonlySet<number> = new Set([1_600, 360]);
/** More than this moves under the reader's eyes (web.dev: Cumulative Layout Shift, good is below 0.1). */
const mostShift = 0.05;

const kinds = ["outside", "offLine", "small", "vague"] as const;
const none = { axe: [], outside: [], offLine: [], small: [], vague: [], shift: [] };

type Found = Record<"axe" | (typeof kinds)[number], readonly string[]>;

function merge(found: readonly Found[]): Found {
  const of = (kind: keyof Found): readonly string[] => found.flatMap((each) => each[kind]);
  return {
    axe: of("axe"),
    outside: of("outside"),
    offLine: of("offLine"),
    small: of("small"),
    vague: of("vague"),
  };
}

/** The rules of axe that the shown screen breaks. */
async function findFaults(page: Page): Promise<readonly string[]> {
  const options = { resultTypes: ["violations"], iframes: false, elementRef: false };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = "" }) => `${id}: ${target.join(" ")} ${failureSummary}`),
  );
}

const nextFrames = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

const nextFrame = "new Promise(requestAnimationFrame)";

/** The window is resized, so that each screen loads once. A unit test computes the contrast of the colours, dark ones included. */
async function walkWidths(page: Page, screens: readonly Shown[]): Promise<Found> {
  const faults: Record<"axe" | (typeof kinds)[number], string[]> = {
    axe: [],
    outside: [],
    offLine: [],
    small: [],
    vague: [],
  };
  await page.evaluate(axe.source);
  for (const screen of screens) {
    await page.setViewportSize({ width: widths[0], height: 800 });
    await page.keyboard.press("Escape");
    await show(page, screen);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      if (layoutWidths.has(width))
        faults.axe.push(...(await findFaults(page)).map((fault) => `${screen.name}, ${width}: ${fault}`));
      const found = await page.evaluate<LayoutFaults>(`${nextFrame}.then(${measureScreen})`);
      for (const kind of kinds)
        faults[kind].push(...found[kind].map((fault) => `${screen.name}, ${width}: ${fault}`));
    }
  }
  return faults;
}

/** Adds up what moves without a cause of the user (web.dev: Cumulative Layout Shift). */
function watchShifts(): void {
  let sum = 0;
  const add = (entries: readonly PerformanceEntry[]): void => {
    for (const entry of entries)
      if ("value" in entry && "hadRecentInput" in entry && entry.hadRecentInput === false)
        sum += Number(entry.value);
  };
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: "layout-shift" });
  Object.assign(globalThis, {
    takeShift: () => {
      add(observer.takeRecords());
      const taken = sum;
      sum = 0;
      return taken;
    },
  });
}

const takeShift = async (page: Page): Promise<number> => {
  await nextFrames(page);
  return page.evaluate("takeShift()");
};

/** Opens each screen on a server that answers only after what waits for it was painted. */
async function walkShifts(page: Page, screens: readonly Shown[]): Promise<readonly string[]> {
  const faults: string[] = [];
  const pending = watchPending(page);
  await intercept(page, /\/console\/api\/(?!events)/u, async (route) => {
    await nextFrames(page).catch(() => undefined);
    await route.continue().catch(() => undefined);
  });
  await page.evaluate(watchShifts);
  for (const screen of screens) {
    await show(page, screen);
    // A response may cause another request. No key is pressed: what moves after an input does not count.
    for (let frames = 0; frames < 3; frames++) {
      await expect.poll(() => pending.size, { interval: 20 }).toBe(0);
      await nextFrames(page);
    }
    const shift = await takeShift(page);
    if (shift >= mostShift) faults.push(`${screen.name}: ${shift.toFixed(3)}`);
  }
  await page.evaluate(() => {
    const moved = document.querySelector("main");
    if (moved !== null) moved.style.marginTop = "300px";
  });
  // Otherwise the browser measures nothing.
  expect(await takeShift(page)).toBeGreaterThan(mostShift);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  return faults.map((fault) => `${page.viewportSize()?.width}, ${fault}`);
}

const hostToken = "s".repeat(16);
const operatorScreens = [
  "operator",
  "operator/webhooks",
  "operator/search?q=hook",
  "operator/audit",
  "operator/rejected",
  "operator/rejected/1-1",
];

interface Outside {
  readonly address: string;
  /** The address of a shared delivery. */
  readonly shared: string;
  /** The id of an account. */
  readonly account: string;
}

/** What is shown without a session of an account. */
async function walkOutside(page: Page, { address, shared, account }: Outside): Promise<Found> {
  await page.goto(address);
  const found = [await walkWidths(page, [{ name: "sign-in", hash: "" }])];
  const open = async (url: string): Promise<void> => {
    // Another fragment alone loads no page.
    await page.goto("about:blank");
    await page.goto(url);
  };
  await open(shared);
  await page.getByRole("region", { name: "Result" }).waitFor();
  found.push(await walkWidths(page, [{ name: "shared delivery", hash: new URL(shared).hash.slice(2) }]));
  await open(`${address}#/operator`);
  found.push(await walkWidths(page, [{ name: "operator sign-in", hash: "operator" }]));
  await page.getByLabel("Host token").fill(hostToken);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Accounts" }).waitFor();
  found.push(
    await walkWidths(
      page,
      [...operatorScreens, `operator/accounts/${account}`].map((hash) => ({ name: hash, hash })),
    ),
  );
  return merge(found);
}

describe.runIf(hasBrowser)("every screen of the console", { timeout: 300_000 }, () => {
  const outbox = createFakeOutbox();
  const store = memoryStoreWith(outbox);
  const visit = prepareVisits({ store, retryDelaysSeconds: [0.05], hostToken, operatorConsole: true });

  it("follows the rules of axe, keeps its elements in their cards and on their lines at each width, and moves nothing", async () => {
    await using visited = await visit();
    const { page, world, address, open, complaints } = visited;
    const filled = await fillAccount(world);
    outbox.add(1, "an-order-with-a-long-id-that-is-not-broken", { projectId: world.site });
    await expect.poll(() => outbox.rejections.length).toBe(1);
    const screens = listScreens(filled);
    const { data: shared } = await world.ask(`POST /console/api/deliveries/${filled.failed}/share`, {
      days: 1,
    });
    await open("");
    const openTab = async (width: number): Promise<Page> => {
      const tab = await page.context().newPage();
      await tab.setViewportSize({ width, height: 900 });
      const { url } = await world.hookwright.sessions.createLink(world.account);
      await tab.goto(new URL(url, address).href);
      await tab.getByRole("heading", { level: 1 }).waitFor();
      return tab;
    };
    const plain = screens.filter((screen) => screen.open === undefined);
    const [found, outside, ...shifts] = await Promise.all([
      walkWidths(page, screens),
      page
        .context()
        .newPage()
        .then((tab) =>
          walkOutside(tab, {
            address,
            shared: new URL(String(shared["url"]), address).href,
            account: world.account,
          }),
        ),
      ...[1_440, 390].map(async (width) => walkShifts(await openTab(width), plain)),
    ]);
    expect({ ...merge([found, outside]), shift: shifts.flat() }).toEqual(none);
    expect(complaints).toEqual([]);
  });
});
