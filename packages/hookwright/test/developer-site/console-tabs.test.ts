import { once } from "node:events";
import { createServer } from "node:http";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hasBrowser } from "../support/open-browser.ts";
import { prepareVisits, signIn } from "../support/visit-console.ts";
import type { Visit } from "../support/visit-console.ts";

const overview = { name: "Overview", exact: true } as const;
const signInButton = { name: "Sign in" } as const;

async function openTab({ page }: Pick<Visit, "page">, address: string): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(address);
  return tab;
}

const tokenOf = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => JSON.parse(Object.values(sessionStorage)[0] ?? "{}").token);

describe.runIf(hasBrowser)("the tabs of a console", { timeout: 120_000 }, () => {
  const visit = prepareVisits();

  it("share the session: a middle click on a link needs no second sign-in", async () => {
    await using visited = await visit({}, "/integrations");
    const { page, complaints } = visited;
    await signIn(page);
    const opened = page.context().waitForEvent("page");
    await page
      .getByRole("navigation", { name: "Console" })
      .getByRole("link", { name: "Deliveries" })
      .click({ button: "middle" });
    const tab = await opened;
    const heading = tab.getByRole("heading", { name: "Deliveries", exact: true });
    await heading.waitFor();
    await expect.poll(() => tokenOf(tab)).toBe(await tokenOf(page));
    // The session is in no storage that outlives the tabs.
    expect(await tab.evaluate(() => JSON.stringify(localStorage))).not.toContain("hwc_");
    await page.close();
    await tab.reload();
    await heading.waitFor();
    expect(complaints).toEqual([]);
  });

  it("share the session although the first tab is busy when another opens", async () => {
    await using visited = await visit();
    const { page, address, complaints } = visited;
    await signIn(page);
    const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
    await page.route("**/busy", async (route) => {
      await isFree;
      await route.fulfill({ status: 204 });
    });
    // A synchronous request blocks the tab.
    const busy = page.evaluate(() => {
      const request = new XMLHttpRequest();
      request.open("GET", "busy", false);
      request.send();
    });
    const tab = await openTab(visited, address);
    await tab.getByRole("button", signInButton).waitFor();
    free();
    await tab.getByRole("heading", overview).waitFor();
    await busy;
    expect(complaints).toEqual([]);
  });

  it("sign out together, also a tab with a session of its own, and a new tab must sign in", async () => {
    await using visited = await visit();
    const { page, world, address } = visited;
    // Both show the form before the first sign-in, so each has its own session.
    const own = await openTab(visited, address);
    await own.getByRole("button", signInButton).waitFor();
    await signIn(page);
    await signIn(own);
    const token = await tokenOf(own);
    const shared = await openTab(visited, address);
    await shared.getByRole("heading", overview).waitFor();
    const ended = own.waitForResponse((response) => response.request().method() === "DELETE");
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You have signed out.").waitFor();
    for (const tab of [own, shared]) {
      await tab.getByText("You have signed out in another tab.").waitFor();
      await expect.poll(() => tab.evaluate(() => sessionStorage.length)).toBe(0);
    }
    await ended;
    const authorization = `Bearer ${token}`;
    const response = await world.hookwright.fetch(
      new Request("http://localhost/v1/me", { headers: { authorization } }),
    );
    expect(response.status).toBe(401);
    const late = await openTab(visited, address);
    await late.getByRole("button", signInButton).waitFor();
  });

  it("share nothing with another browser profile", async () => {
    await using visited = await visit();
    const { page, address } = visited;
    await signIn(page);
    const profile = await page.context().browser()?.newContext();
    const stranger = await profile?.newPage();
    await stranger?.goto(address);
    await stranger?.getByRole("button", signInButton).waitFor();
    await expect.poll(() => stranger?.evaluate(() => sessionStorage.length)).toBe(0);
    await profile?.close();
  });

  it("share nothing with a console of another base path on the same origin", async () => {
    await using visited = await visit();
    const { page, world } = visited;
    const server = createServer((request, response) => {
      request.url = request.url?.replace(/^\/(?:one|two)(?=\/)/u, "") ?? "/";
      return world.hookwright.handler(request, response);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const bound = server.address();
    const origin = `http://127.0.0.1:${typeof bound === "object" ? bound?.port : 0}`;
    await page.goto(`${origin}/one/console`);
    await signIn(page);
    const other = await openTab(visited, `${origin}/two/console`);
    await other.getByRole("button", signInButton).waitFor();
    await expect.poll(() => other.evaluate(() => sessionStorage.length)).toBe(0);
    const same = await openTab(visited, `${origin}/one/console`);
    await same.getByRole("heading", overview).waitFor();
    await page.context().close();
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
});
