import { describe, expect, it } from "vitest";
import { hasBrowser, intercept } from "../support/open-browser.ts";
import {
  hold,
  openPart,
  pauseLive,
  prepareVisits,
  signIn,
  signOut,
  tokenIn,
  watchPending,
  password,
} from "../support/visit-console.ts";

describe.runIf(hasBrowser)("signing in to the console and out", { timeout: 120_000 }, () => {
  /** The time of the server goes ahead of that of the page by so much. */
  let ahead = 0;
  const visit = prepareVisits({
    hostToken: "t0ken",
    now: () => Date.now() + ahead,
    consoleTokenSeconds: 600,
  });

  it("shows the API's error for a wrong password, and accepts the right one", async () => {
    await using visited = await visit();
    const { page, world, address, complaints } = visited;
    await page.goto(address);
    // The default name, without a logo.
    await page.getByRole("heading", { name: "Developer console" }).waitFor();
    await expect.poll(() => page.locator("img").count()).toBe(0);
    await page.getByLabel("E-mail").fill(world.email);
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("invalid_credentials");
    await signIn(visited);
    await expect.poll(() => page.title()).toBe(`Overview · ${world.account}`);
    await page.getByRole("link", { name: "API reference" }).waitFor();
    await expect.poll(() => page.getByRole("link", { name: "Docs" }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("has no page of the operator unless the host switches it on", async () => {
    await using visited = await visit();
    const { page, address } = visited;
    await page.goto(`${address}#/operator`);
    await page.getByLabel("E-mail").waitFor();
    await expect.poll(() => page.getByLabel("Host token").count()).toBe(0);
  });

  it("shows how long to wait after five wrong passwords", async () => {
    await using visited = await visit();
    const { page, world, address, complaints } = visited;
    await page.goto(address);
    const login = { email: world.email, password: "wrong" };
    // Sent by the test from the same address as the page.
    for (let guess = 0; guess < 5; guess++)
      await expect(
        world.hookwright.sessions.create(login, { clientAddress: "127.0.0.1" }),
      ).rejects.toMatchObject({ code: "invalid_credentials" });
    await page.getByLabel("E-mail").fill(login.email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect
      .poll(() => page.getByRole("alert").textContent())
      .toMatch(
        /^Too many failed sign-ins for this address from your network\. Try again in \d+ seconds\. rate_limited$/u,
      );
    expect(complaints).toEqual([]);
  });

  it("invalidates the token on sign-out, and the back button shows nothing", async () => {
    await using visited = await visit();
    const { page, world, address } = visited;
    await page.goto(address);
    await signIn(visited);
    const token = await tokenIn(page);
    await signOut(page);
    await page.getByText("You have signed out.").waitFor();
    await expect.poll(() => tokenIn(page)).toBeUndefined();
    const response = await world.hookwright.fetch(
      new Request("http://localhost/v1/me", { headers: { authorization: `Bearer ${token}` } }),
    );
    expect(response.status).toBe(401);
    await page.goBack();
    await page.reload();
    await page.goto(address);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
  });

  it("keeps the session over a reload, and asks again when it expires, with the reason at the field", async () => {
    await using visited = await visit();
    const { page, address } = visited;
    const pending = watchPending(page);
    await page.goto(`${address}#/webhooks`);
    await signIn(visited, "Webhooks");
    await page.reload();
    await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
    await expect.poll(() => pending.size).toBe(0);
    ahead += 601_000;
    await page.getByText("Your session has expired. Sign in again.").waitFor();
    await expect.poll(() => tokenIn(page)).toBeUndefined();
    const heard = () =>
      page.evaluate(() => {
        const describedBy = document.activeElement?.getAttribute("aria-describedby") ?? "";
        return document.getElementById(describedBy)?.textContent;
      });
    await expect.poll(heard).toBe("Your session has expired. Sign in again.");
  });

  it("asks again when the session was ended elsewhere", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await open("webhooks");
    await world.hookwright.accounts.put(world.account, { password: "another password" });
    await page.getByText("You have been signed out. Sign in again.").waitFor();
    await expect.poll(() => tokenIn(page)).toBeUndefined();
  });

  it("ends all sessions after a confirmation, and a read-only session cannot", async () => {
    await using visited = await visit();
    const { page, world, address, open } = visited;
    await open("webhooks");
    const { url } = await world.hookwright.sessions.createLink(world.account, { read_only: true });
    const reader = await page.context().newPage();
    await reader.goto(new URL(url, address).href);
    for (const tab of [reader, page]) {
      await tab.getByRole("button", { name: /^Account /u }).click();
      await tab.getByRole("group", { name: "Account" }).getByRole("link", { name: "Settings" }).click();
    }
    await expect.poll(() => reader.getByRole("button", { name: "End all sessions" }).isDisabled()).toBe(true);
    await page.getByText("You are signed in to").waitFor();
    await page.getByRole("button", { name: "End all sessions" }).click();
    const dialog = page.getByRole("dialog", { name: "End all sessions" });
    await dialog.getByText("signed out, you too").waitFor();
    await dialog.getByRole("button", { name: "End all sessions" }).click();
    await page.getByText("All sessions have ended.").waitFor();
    await reader.getByText("You have been signed out. Sign in again.").waitFor();
  });

  it("shows a secret until the user has stored it, even if the session ends meanwhile", async () => {
    await using visited = await visit();
    const { page, open } = visited;
    await open("webhooks");
    await page.getByRole("link", { name: "Keys" }).click();
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByLabel("Name").fill("Warehouse");
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    const key = page.getByLabel("API key", { exact: true });
    await expect.poll(() => key.inputValue()).toMatch(/^hwk_/u);
    ahead += 601_000;
    await page.goBack();
    await page.getByText("console_token_expired").waitFor();
    await expect.poll(() => key.inputValue()).toMatch(/^hwk_/u);
    await page.getByRole("button", { name: "I have stored it" }).click();
    await page.getByText("Your session has expired. Sign in again.").waitFor();
  });

  it("shows everything to a demo account and disables buttons that change data", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    const { id } = await world.createWebhook("/hook");
    await world.hookwright.accounts.put(world.account, { demo: true });
    await open(`webhooks/${id}`);
    await page.getByText("This is a demo account").waitFor();
    const pressable = async (): Promise<string[]> =>
      page
        .getByRole("main")
        .locator("button:enabled")
        .evaluateAll((buttons) => buttons.map(({ ariaLabel, textContent }) => ariaLabel ?? textContent));
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await expect.poll(pressable).toEqual(["Copy URL", "Show ignored ones"]);
    await openPart(page, "Settings");
    await expect
      .poll(() => page.getByRole("button", { name: "Delete", exact: true }).getAttribute("title"))
      .toBe("A demo account cannot change anything.");
    await openPart(page, "Secret");
    await page.getByRole("button", { name: "Rotate signing secret" }).waitFor();
    expect(await pressable()).toEqual(["Copy URL"]);
    await page.getByRole("link", { name: "Webhooks" }).first().click();
    await page.getByRole("button", { name: "Create webhook" }).waitFor();
    // A list can be saved and sorted. The menu of a row offers only to copy its URL.
    await page.getByRole("button", { name: "Actions for /hook" }).waitFor();
    const harmless = ["Export", "Webhook", "Success", "p95", "Last accepted"];
    expect(await pressable()).toEqual([...harmless, "Actions for /hook"]);
    await page.getByRole("button", { name: "Actions for /hook" }).click();
    const enabled = page.getByRole("menuitem", { disabled: false });
    await expect.poll(() => enabled.allTextContents()).toEqual(["Copy URL"]);
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Keys" }).click();
    await page.getByRole("button", { name: "Create key" }).waitFor();
    expect(await pressable()).toEqual(["Export"]);
  });

  it("a late response to an ended session does not end the next one", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    const { id } = await world.createWebhook("/hook", { paused: true });
    await open(`webhooks/${id}`);
    const held = await hold(page, "**/test", "request");
    await page.getByRole("button", { name: "Send test" }).last().click();
    await held.asked;
    await signOut(page);
    await signIn(visited, `${world.origin}/hook`);
    held.release();
    await held.settled;
    await expect.poll(() => page.getByRole("heading", { name: `${world.origin}/hook` }).count()).toBe(1);
  });

  it("signs out while the server is unavailable, and says that the session stays valid", async () => {
    await using visited = await visit();
    const { page, open } = visited;
    await open("webhooks");
    await intercept(page, "**/console/api/session", (route) => route.abort());
    await signOut(page);
    await page.getByText("The server could not be reached").waitFor();
    await expect.poll(() => tokenIn(page)).toBeUndefined();
  });

  it("says that the session had expired if it expired before the sign-out", async () => {
    await using visited = await visit();
    const { page, open } = visited;
    const pending = watchPending(page);
    await open("webhooks");
    await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
    await expect.poll(() => pending.size).toBe(0);
    await pauseLive(page);
    ahead += 601_000;
    await signOut(page);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    await expect
      .poll(() => page.getByRole("main").textContent())
      .toContain("Your session has expired. Sign in again.");
  });

  it("shows why a suspended account cannot be used, below a heading", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await open("webhooks");
    await world.hookwright.accounts.put(world.account, { status: "suspended" });
    // The list of webhooks may be refused first, below a heading of its own.
    await page.getByRole("heading", { name: "Your account", exact: true }).waitFor();
    await page.getByText("account_unavailable").waitFor();
    await expect.poll(() => page.locator("h1:focus").textContent()).toBe("Your account");
    await expect.poll(() => page.getByRole("main").getByRole("button").count()).toBe(0);
    await signOut(page);
    await page.getByText("You have signed out.").waitFor();
  });
});
