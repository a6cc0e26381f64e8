import type { LinkedSession } from "@hookwright/domain";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hasBrowser } from "../support/open-browser.ts";
import { openLinkedSession } from "../support/open-session.ts";
import { prepareVisits, signIn, tokenIn } from "../support/visit-console.ts";

const mount = "/integrations";
/** A page of a customer of the site builder, on the same origin as the console. */
const hostilePage = "<!doctype html><title>A shop</title><h1>A shop</h1>";
const overview = { name: "Overview", exact: true } as const;
const signInButton = { name: "Sign in" } as const;

/** What a page can read without a handle of another window. */
async function loot(page: Page): Promise<string> {
  return page.evaluate(async (console) => {
    const found: unknown[] = [
      name,
      history.state,
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      opener,
      await indexedDB.databases(),
      await caches.keys(),
      // The entries of the tab that have the same origin.
      (window as { navigation?: { entries(): { url: string; getState(): unknown }[] } }).navigation
        ?.entries()
        .map((entry) => [entry.url, entry.getState()]),
    ];
    const response = await fetch(`${console}/api/keys`, { credentials: "include" });
    found.push(await response.text());
    return JSON.stringify(found);
  }, `${mount}/console`);
}

/** Listens on channels with the names that a console has ever used, and says on them what a console has ever said. */
async function listen(page: Page, session: LinkedSession): Promise<void> {
  await page.evaluate(
    ([given, base]) => {
      const heard: unknown[] = [];
      const name = `hookwright console ${base}`;
      const channel = new BroadcastChannel(name);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have a target origin
      const say = (message: unknown): void => channel.postMessage(message);
      channel.addEventListener("message", ({ data }) => {
        heard.push(data);
        say({ type: "session", session: given });
      });
      const shout = (): void => {
        say({ type: "wanted" });
        say({ type: "session", session: given });
        say({ type: "signed out", token: given.token });
      };
      shout();
      Object.assign(window, { heard, shout, giveConsoleSession: () => given });
      for (const storage of [localStorage, sessionStorage]) storage.setItem(name, JSON.stringify(given));
    },
    [session, new URL(`${mount}/`, page.url()).href] as const,
  );
}

describe.runIf(hasBrowser)("a hostile page on the origin of the console", { timeout: 120_000 }, () => {
  const visit = prepareVisits({ mount, otherPage: hostilePage });

  async function openVisit() {
    const visited = await visit();
    const { page, world, address } = visited;
    await page.goto(address);
    const evil = `evil_${world.account}`;
    await world.hookwright.accounts.put(evil, { name: "Evil", email: `${evil}@example.com` });
    const session = await openLinkedSession(world.hookwright, evil);
    const openHostile = async (): Promise<Page> => {
      const hostile = await page.context().newPage();
      await hostile.goto(new URL("/shop", address).href);
      return hostile;
    };
    return { ...visited, session, openHostile, [Symbol.asyncDispose]: visited[Symbol.asyncDispose] };
  }

  it("in another tab gets no token, plants no session, and signs nobody out", async () => {
    await using visited = await openVisit();
    const { page, address, session, openHostile } = visited;
    const hostile = await openHostile();
    await listen(hostile, session);
    await signIn(visited);
    await hostile.evaluate(() => Reflect.get(window, "shout")());
    const token = await tokenIn(page);
    const fresh = await page.context().newPage();
    await fresh.goto(address);
    await fresh.getByRole("button", signInButton).waitFor();
    const opened = page.context().waitForEvent("page");
    await page.getByRole("link", { name: "Deliveries" }).first().click({ button: "middle" });
    const shared = await opened;
    await shared.getByRole("heading", { name: "Deliveries", exact: true }).waitFor();
    expect(await tokenIn(shared)).toBe(token);
    await page.reload();
    await page.getByRole("heading", overview).waitFor();
    expect(await tokenIn(page)).toBe(token);
    expect(await hostile.evaluate(() => JSON.stringify(Reflect.get(window, "heard")))).toBe("[]");
    expect(await loot(hostile)).not.toContain(token);
  });

  it("in the same tab, before and after the console, gets no token and plants no session", async () => {
    await using visited = await openVisit();
    const { page, address, session } = visited;
    await page.goto(new URL("/shop", address).href);
    await listen(page, session);
    await page.evaluate((given) => (window.name = given), JSON.stringify(session));
    await page.goto(address);
    await page.getByRole("button", signInButton).waitFor();
    await signIn(visited);
    const token = await tokenIn(page);
    expect(token).toMatch(/^hwc_/u);
    const kept = await page.evaluate(() => ({ state: history.state, name: window.name }));
    await page.goto(new URL("/shop", address).href);
    expect(await loot(page)).not.toContain(token);

    // The state of the own history is what a console would keep for this session.
    const planted = { ...kept, state: { ...kept.state, session } };
    const plant = (): Promise<void> =>
      page.evaluate(
        ([given, path]) => {
          window.name = given.name;
          history.pushState(given.state, "", path);
        },
        [planted, `${mount}/console`] as const,
      );
    await plant();
    await page.reload();
    await page.getByRole("button", signInButton).waitFor();

    // The same with an entry that the user comes back to.
    await page.goto(new URL("/shop", address).href);
    await plant();
    await page.goto(new URL("/shop?2", address).href);
    await page.evaluate((given) => (window.name = given), planted.name);
    await page.goBack();
    await page.getByRole("button", signInButton).waitFor();
    expect(await page.evaluate(() => history.state?.session?.token)).not.toBe(token);
  });

  it("that opens the console or frames it has no access to it", async () => {
    await using visited = await openVisit();
    const { page, world, session, openHostile, complaints } = visited;
    const hostile = await openHostile();
    await listen(hostile, session);
    const opened = page.context().waitForEvent("page");
    await hostile.evaluate((path) => {
      Object.assign(window, { tab: open(path, "console") });
    }, `${mount}/console`);
    const tab = await opened;
    await tab.getByRole("button", signInButton).waitFor();
    await signIn({ page: tab, world });
    const seen = await hostile.evaluate(() => {
      const handle: Window = Reflect.get(window, "tab");
      const again = open("", "console");
      const states = [handle, again].map((each) => {
        try {
          return { closed: each?.closed, state: each?.history.state, text: each?.document.body.textContent };
        } catch (error) {
          return String(error);
        }
      });
      return JSON.stringify(states);
    });
    expect(seen).not.toContain(await tokenIn(tab));
    expect(seen).not.toContain("Overview");
    await tab.reload();
    await tab.getByRole("heading", overview).waitFor();

    await hostile.evaluate((path) => {
      const frame = document.createElement("iframe");
      frame.src = path;
      document.body.append(frame);
      return new Promise((resolve) => frame.addEventListener("load", resolve));
    }, `${mount}/console`);
    const framed = await hostile.evaluate(
      () => document.querySelector("iframe")?.contentDocument?.body.textContent,
    );
    expect(framed ?? "").not.toContain("Sign in");
    expect(complaints.filter((complaint) => !complaint.includes("frame"))).toEqual([]);
  });
});
