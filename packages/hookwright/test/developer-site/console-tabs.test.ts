import { createServer } from "node:http";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { listenLocally } from "../support/listen-locally.ts";
import { hasBrowser } from "../support/open-browser.ts";
import { prepareVisits, signIn, signOut, tokenIn } from "../support/visit-console.ts";
import type { Visit } from "../support/visit-console.ts";

const overview = { name: "Overview", exact: true } as const;
const signInButton = { name: "Sign in" } as const;

async function openTab({ page }: Pick<Visit, "page">, address: string): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(address);
  return tab;
}

/** Opens a link of the navigation in a new tab, as a user does. */
async function openInNewTab(
  page: Page,
  name: string,
  click: Parameters<ReturnType<Page["getByRole"]>["click"]>[0],
): Promise<Page> {
  const opened = page.context().waitForEvent("page");
  await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name }).click(click);
  return opened;
}

describe.runIf(hasBrowser)("the tabs of a console", { timeout: 120_000 }, () => {
  const visit = prepareVisits({ mount: "/integrations", otherPage: "<h1>A page of the builder</h1>" });

  it("a link that is opened in a new tab needs no second sign-in, and a reload keeps the session", async () => {
    await using visited = await visit();
    const { page, open, complaints } = visited;
    await open("");
    const token = await tokenIn(page);
    for (const click of [
      { button: "middle" },
      { modifiers: ["ControlOrMeta"] },
      { modifiers: ["Shift"] },
    ] as const) {
      const tab = await openInNewTab(page, "Deliveries", {
        ...click,
        modifiers: [...(click.modifiers ?? [])],
      });
      await tab.getByRole("heading", { name: "Deliveries", exact: true }).waitFor();
      await expect.poll(() => tokenIn(tab)).toBe(token);
      // It cannot reach the other tab any more.
      expect(await tab.evaluate(() => opener)).toBeNull();
      await tab.reload();
      await tab.getByRole("heading", { name: "Deliveries", exact: true }).waitFor();
    }
    // The new tab can do the same, although the first one is gone.
    const tab = await openInNewTab(page, "Events", { button: "middle" });
    await tab.getByRole("heading", { name: "Events", exact: true }).waitFor();
    await page.close();
    const next = await openInNewTab(tab, "Keys", { button: "middle" });
    await next.getByRole("heading", { name: "Keys", exact: true }).waitFor();
    // The session is in no storage that other pages can read.
    expect(
      await next.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
    ).not.toContain("hwc_");
    expect(complaints).toEqual([]);
  });

  it("signing out ends the session in the tabs that share it, and in no other", async () => {
    await using visited = await visit();
    const { page, world, address } = visited;
    const own = await openTab(visited, address);
    await signIn({ page: own, world });
    await page.goto(address);
    await signIn(visited);
    const shared = await openInNewTab(page, "Deliveries", { button: "middle" });
    await shared.getByRole("heading", { name: "Deliveries", exact: true }).waitFor();
    await signOut(page);
    await page.getByText("You have signed out.").waitFor();
    await shared.getByText("You have been signed out. Sign in again.").waitFor();
    await own.reload();
    await own.getByRole("heading", overview).waitFor();
    expect(await tokenIn(shared)).toBeUndefined();
  });

  it("a tab that the console has not opened must sign in, and so must one that left it and comes back", async () => {
    await using visited = await visit();
    const { page, address, open } = visited;
    await open("");
    const tab = await openTab(visited, address);
    // Another profile of the same browser.
    const profile = await page.context().browser()?.newContext();
    const stranger = await profile?.newPage();
    await stranger?.goto(address);
    for (const other of [tab, stranger]) {
      await other?.getByRole("button", signInButton).waitFor();
      expect(await other?.evaluate(() => history.state?.session)).toBeUndefined();
    }
    await profile?.close();
    await page.goto(new URL("/", address).href);
    await page.goBack();
    await page.getByRole("button", signInButton).waitFor();
    expect(new URL(page.url()).pathname).toBe("/integrations/console");
  });

  it("two accounts in several tabs are never mixed", async () => {
    await using visited = await visit();
    const { page, world, address, open } = visited;
    const { accounts, sessions } = world.hookwright;
    const id = `second_${world.account}`;
    await accounts.put(id, { name: "Second", email: `${id}@example.com` });
    await open("");
    const { url } = await sessions.createLink(id, { read_only: true });
    const second = await openTab(visited, `${address}${url.replace("/console", "")}`);
    await second.getByRole("heading", overview).waitFor();
    const [first, other] = await Promise.all([tokenIn(page), tokenIn(second)]);
    for (let round = 1; round <= 4; round++) {
      const [from, token] = round % 2 === 0 ? [page, first] : [second, other];
      const tab = await openInNewTab(from, "Keys", { button: "middle" });
      await tab.getByRole("heading", { name: "Keys", exact: true }).waitFor();
      await expect.poll(() => tokenIn(tab)).toBe(token);
      await tab.close();
    }
    for (const [tab, token] of [
      [page, first],
      [second, other],
    ] as const) {
      await tab.reload();
      await tab.getByRole("heading", overview).waitFor();
      expect(await tokenIn(tab)).toBe(token);
    }
  });

  it("share nothing with a console of another base path on the same origin", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    await using server = await listenLocally(
      createServer((request, response) => {
        request.url = request.url?.replace(/^\/(?:one|two)(?=\/)/u, "") ?? "/";
        return world.hookwright.handler(request, response);
      }),
    );
    await page.goto(`${server.origin}/one/console`);
    await signIn(visited);
    await page.goto(`${server.origin}/two/console`);
    await page.getByRole("button", signInButton).waitFor();
    expect(await tokenIn(page)).toBeUndefined();
  });
});
