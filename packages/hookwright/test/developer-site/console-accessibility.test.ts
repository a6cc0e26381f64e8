import axe from "axe-core";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { choosePart, openDelivery } from "../support/console-screens.ts";
import { hasBrowser } from "../support/open-browser.ts";
import type { World } from "../support/open-console.ts";
import { prepareVisits, publishMany } from "../support/visit-console.ts";

const widths = [1_440, 768, 360] as const;

interface Shown {
  readonly name: string;
  /** The fragment of the address. */
  readonly hash: string;
  /** What to open on the screen. */
  readonly open?: (page: Page) => Promise<void>;
}

const click =
  (name: string | RegExp) =>
  (page: Page): Promise<void> =>
    page.getByRole("button", { name }).first().click();

const openDrawer = async (page: Page): Promise<void> => void (await openDelivery(page, "rev_1"));

/** A phone has no room for the checkboxes. */
const selectAll = async (page: Page): Promise<void> => {
  const box = page.getByLabel("Select all rows that are shown");
  if (!(await box.isVisible())) return;
  await box.check();
  await click("Delete")(page);
};

const showPart =
  (name: string) =>
  (page: Page): Promise<void> =>
    choosePart(page, name);

/** Webhooks that work, fail, are paused and rotate their secret, with deliveries, a key and requests. */
async function fillAccount(world: World): Promise<{ readonly webhook: Ids; readonly failed: string }> {
  const create = async (url: string): Promise<string> => (await world.createWebhook(url)).id;
  const webhook = {
    working: await create("/working"),
    failing: await create("http://127.0.0.1:1/nobody-listens"),
    paused: await create("/paused"),
  };
  await world.ask(`POST /console/api/webhooks/${webhook.working}/rotate`);
  await world.ask(`POST /console/api/webhooks/${webhook.paused}/pause`);
  await world.ask(`DELETE /console/api/webhooks/${await create("/removed")}`);
  await publishMany(world, 2);
  const listFailed = async () => (await world.ask("GET /console/api/deliveries?status=failed")).rows;
  await expect.poll(listFailed).toHaveLength(2);
  const { api_key } = await world.hookwright.apiKeys.create(world.account, { name: "Warehouse" });
  for (const path of ["me", "contacts/unknown"])
    await world.hookwright.fetch(
      new Request(`http://localhost/v1/${path}`, { headers: { authorization: `Bearer ${api_key}` } }),
    );
  return { webhook, failed: String((await listFailed())[0]?.["id"]) };
}

type Ids = Readonly<Record<"working" | "failing" | "paused", string>>;

function listScreens({ webhook, failed }: Awaited<ReturnType<typeof fillAccount>>): readonly Shown[] {
  const { working, failing, paused } = webhook;
  return [
    { name: "overview", hash: "" },
    { name: "webhooks", hash: "webhooks" },
    { name: "webhooks, menu", hash: "webhooks", open: click(/^Actions for/u) },
    { name: "webhooks, selected", hash: "webhooks", open: selectAll },
    { name: "webhooks, removed", hash: "webhooks?view=removed" },
    { name: "create webhook", hash: "webhooks?create=webhook" },
    { name: "webhook, failing", hash: `webhooks/${failing}` },
    { name: "webhook, paused", hash: `webhooks/${paused}` },
    { name: "webhook, deliveries", hash: `webhooks/${working}?tab=deliveries` },
    { name: "webhook, settings", hash: `webhooks/${working}?tab=settings` },
    { name: "webhook, secret", hash: `webhooks/${working}?tab=secret` },
    { name: "webhook, edit", hash: `webhooks/${failing}`, open: click("Edit") },
    { name: "webhook, recover", hash: `webhooks/${failing}?do=recover` },
    { name: "webhook, test", hash: `webhooks/${failing}`, open: click("Send test") },
    { name: "deliveries", hash: "deliveries" },
    { name: "deliveries, filters", hash: "deliveries?kind=event", open: click(/^Filter/u) },
    { name: "deliveries, drawer", hash: "deliveries", open: openDrawer },
    { name: "delivery, response", hash: `deliveries/${failed}` },
    { name: "delivery, body", hash: `deliveries/${failed}`, open: showPart("Tree") },
    { name: "delivery, headers", hash: `deliveries/${failed}`, open: showPart("Headers") },
    { name: "delivery, signature", hash: `deliveries/${failed}`, open: showPart("Signature") },
    { name: "events", hash: "events" },
    { name: "listen", hash: "listen" },
    { name: "requests", hash: "requests" },
    { name: "request", hash: "requests", open: click(/unknown/u) },
    { name: "keys", hash: "keys" },
    { name: "activity", hash: "activity" },
    { name: "create key", hash: "keys?create=key" },
    { name: "palette", hash: "", open: (page) => page.keyboard.press("Control+k") },
    { name: "shortcuts", hash: "", open: (page) => page.keyboard.press("?") },
    { name: "account menu", hash: "", open: click(/^Account/u) },
    { name: "unknown page", hash: "nothing/here" },
  ];
}

/** Screens are divided among as many tabs. */
const tabCount = 2;

/** The rules of axe that the shown screen breaks. */
async function findFaults(page: Page): Promise<readonly string[]> {
  const options = { resultTypes: ["violations"], iframes: false, elementRef: false };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = "" }) => `${id}: ${target.join(" ")} ${failureSummary}`),
  );
}

async function show(page: Page, { hash, open }: Shown): Promise<void> {
  await page.keyboard.press("Escape");
  await page.evaluate((next) => location.assign(next), `#/${hash}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.getByText("Loading …").first().waitFor({ state: "hidden" });
  await open?.(page);
}

/**
 * The faults of one screen on the widest window, and whether it fits each window. The window is resized, so that the
 * screen loads once. A unit test of the console computes the contrast of its colours, dark ones included.
 */
async function checkScreen(page: Page, screen: Shown): Promise<readonly string[]> {
  const faults: string[] = [];
  await page.setViewportSize({ width: widths[0], height: 800 });
  await show(page, screen);
  for (const width of widths) {
    // What opens above a screen looks the same as on a wide one.
    if (width === 768 && screen.open !== undefined) continue;
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (excess > 0) faults.push(`${screen.name} is wider than ${width} px by ${excess} px`);
    if (width !== widths[0]) continue;
    const found = await findFaults(page);
    faults.push(...found.map((fault) => `${screen.name}: ${fault}`));
  }
  return faults;
}

describe.runIf(hasBrowser)("accessibility of the console", { timeout: 300_000 }, () => {
  const visit = prepareVisits({ retryDelaysSeconds: [0.05] });

  it("each screen follows the rules of axe and fits its window", async () => {
    await using visited = await visit();
    const { page, world, address, open, complaints } = visited;
    const waiting = [...listScreens(await fillAccount(world))];
    await open("");
    const tabs = [page];
    while (tabs.length < tabCount) {
      const tab = await page.context().newPage();
      const { url } = await world.hookwright.sessions.createLink(world.account);
      await tab.goto(new URL(url, address).href);
      tabs.push(tab);
    }
    const faults = await Promise.all(
      tabs.map(async (tab) => {
        const found: string[] = [];
        await tab.evaluate(axe.source);
        for (let screen = waiting.shift(); screen !== undefined; screen = waiting.shift())
          found.push(...(await checkScreen(tab, screen)));
        return found;
      }),
    );
    expect(faults.flat()).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
