import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { exportAs, openSection } from "../support/console-screens.ts";
import { hasBrowser } from "../support/open-browser.ts";
import type { World } from "../support/open-console.ts";
import { prepareVisits } from "../support/visit-console.ts";

/** Makes requests with a new key. Returns what makes more of them. */
async function openApi({ hookwright, account }: World, ...paths: readonly string[]) {
  const { api_key } = await hookwright.apiKeys.create(account, { name: "Warehouse" });
  const ask = (path: string): Promise<Response> =>
    hookwright.fetch(
      new Request(new URL(path, "http://localhost/v1/"), {
        headers: { authorization: `Bearer ${api_key}` },
      }),
    );
  for (const path of paths) await ask(path);
  return ask;
}

const tabsOf = (page: Page): Promise<readonly string[]> =>
  page.getByRole("navigation", { name: "Status" }).getByRole("link").allTextContents();

/** True if it is on the visible part of its page. */
const isInView = (element: Locator): Promise<boolean> =>
  element.evaluate((found) => {
    const { top, bottom } = found.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });

describe.runIf(hasBrowser)("requests in the console", { timeout: 120_000 }, () => {
  const visit = prepareVisits({ mount: "/integrations" });

  it("are counted by their status, and filtered by status, path, method and time", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    await openApi(world, "me", "orders", "orders/ord_1", "orders?limit=500");
    await open("requests");
    await expect.poll(() => tabsOf(page)).toEqual(["All 4", "2xx 2", "4xx 2", "5xx 0"]);
    await page.getByRole("link", { name: "4xx 2" }).click();
    const rows = page.getByRole("row").filter({ has: page.getByRole("cell") });
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole("searchbox").fill("/v1/orders/");
    await page.keyboard.press("Enter");
    await expect.poll(() => rows.count()).toBe(1);
    await expect.poll(() => tabsOf(page)).toEqual(["All 1", "2xx 0", "4xx 1", "5xx 0"]);
    await page.getByRole("button", { name: /^Filter/u }).click();
    await page.getByLabel("Method").selectOption("POST");
    await page.getByText("No matching requests.").waitFor();
    await page.getByRole("button", { name: "Remove the filter Method: POST" }).click();
    await expect.poll(() => rows.count()).toBe(1);
    const chart = page.getByRole("slider", { name: /^Requests/u });
    await expect
      .poll(() => chart.getAttribute("aria-valuetext"))
      .toMatch(/^1 request of the last 24 hours: 1 with an error/u);
    await chart.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await page.getByText("No matching requests.").waitFor();
    await expect.poll(() => tabsOf(page)).toEqual(["All 0", "2xx 0", "4xx 0", "5xx 0"]);
    for (const name of ["Since", "Until"])
      await page.getByRole("button", { name: `Remove the filter ${name}` }).click();
    await expect.poll(() => rows.count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it("are saved as a file with the filters of the screen", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await openApi(world, "me", "orders", "orders/ord_1");
    await open("requests?status=4xx");
    const [saved] = await Promise.all([page.waitForEvent("download"), exportAs(page, "CSV")]);
    const [heading, ...lines] = (await readFile(await saved.path(), "utf8")).trimEnd().split("\r\n");
    expect([saved.suggestedFilename(), heading?.split(",")[0]]).toEqual(["requests.csv", "id"]);
    expect(lines.map((line) => line.split(",")[3])).toEqual(["/v1/orders/ord_1"]);
  });

  it("lead to their operation in the reference, if they have one", async () => {
    await using visited = await visit();
    const { page, world, address, open, complaints } = visited;
    await openApi(world, "orders/ord_1", "/developer/v1/deliveries");
    await open("requests");
    const linkOf = async (request: string): Promise<Locator> => {
      await page.getByRole("button", { name: request, exact: true }).click();
      return page.getByRole("dialog", { name: "Request" }).getByRole("link", { name: /^API reference/u });
    };
    const link = await linkOf("GET /v1/orders/ord_1");
    await expect.poll(() => link.textContent()).toBe("API reference: GET /v1/orders/{id}");
    const [reference] = await Promise.all([page.waitForEvent("popup"), link.click()]);
    expect(reference.url()).toBe(`${new URL("reference", address).href}#tag/orders/GET/v1/orders/{id}`);
    const operation = reference.getByRole("heading", { name: "One order" });
    await operation.waitFor();
    await expect.poll(() => isInView(operation)).toBe(true);
    await page.getByRole("button", { name: "Close" }).click();
    const read = page.waitForResponse(/openapi\.json$/u);
    const other = await linkOf("GET /developer/v1/deliveries");
    await (await read).finished();
    await expect.poll(() => other.textContent()).toBe("API reference");
    await expect.poll(() => other.getAttribute("href")).toBe("reference");
    expect(complaints).toEqual([]);
  });

  it("show what is left of the rate limit, and how many requests were refused", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await world.hookwright.accounts.put(world.account, { limits: { requests_per_minute: 20 } });
    const ask = await openApi(world);
    await page.clock.install();
    await open("requests");
    const meter = page.getByRole("region", { name: "Rate limit" });
    await meter.getByText(/of 20 requests left/u).waitFor();
    await page.getByRole("heading", { name: "No requests yet" }).waitFor();
    while ((await ask("me")).status !== 429);
    await page.getByRole("button", { name: "Refresh" }).click();
    // The meter reads its state every 5 s.
    await page.clock.runFor(5_000);
    await expect.poll(() => meter.textContent()).toMatch(/0 of 20 requests left.*Full again in \d+ s/u);
    // A slow answer is awaited. What it may lack is asked for after it.
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let asked = 0;
    await page.route("**/console/api/rate-limit", async (route) => {
      asked += 1;
      await released;
      await route.continue();
    });
    await page.clock.runFor(15_000);
    expect(asked).toBe(1);
    release();
    await expect.poll(() => asked).toBe(2);
    await meter.getByRole("link", { name: "1 refused" }).click();
    await page.getByRole("button", { name: "Remove the filter Status: 429" }).waitFor();
    await expect.poll(() => page.getByRole("cell", { name: "429" }).count()).toBe(1);
  });

  it("need attention on the overview if the rate limit refused some in the last hour", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    await world.hookwright.accounts.put(world.account, { limits: { requests_per_minute: 20 } });
    await open("");
    await page.getByText("No webhook needs attention.").waitFor();
    const ask = await openApi(world);
    while ((await ask("me")).status !== 429);
    expect((await ask("orders")).status).toBe(429);
    await openSection(page, "Keys");
    await openSection(page, "Overview");
    const attention = page.getByRole("region", { name: "Needs attention" }).getByRole("listitem");
    await expect
      .poll(() => attention.allTextContents())
      .toEqual([expect.stringContaining("API rate limit reached◐Refused2 requests in the last hour")]);
    await expect.poll(() => page.getByText("No webhook needs attention.").count()).toBe(0);
    await attention.getByRole("link", { name: "Look" }).click();
    await expect.poll(() => page.getByRole("cell", { name: "429" }).count()).toBe(2);
    expect(complaints).toEqual([]);
  });
});
