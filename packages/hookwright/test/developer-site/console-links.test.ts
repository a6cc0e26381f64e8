import { describe, expect, it } from "vitest";
import { hasBrowser } from "../support/open-browser.ts";
import type { World } from "../support/open-console.ts";
import { prepareVisits, tokenIn } from "../support/visit-console.ts";
import type { Visit } from "../support/visit-console.ts";

/** Follows a new link in the tab of the visit. */
async function follow(
  { page, world, address }: Visit,
  { account = world.account, readOnly = false } = {},
): Promise<string> {
  const { url } = await world.hookwright.sessions.createLink(account, { read_only: readOnly });
  const link = new URL(url, address).href;
  await page.goto(link);
  return link;
}

/** Creates another account. */
async function createSecond({ hookwright, account }: World): Promise<{ readonly account: string }> {
  const second = `second_${account}`;
  await hookwright.accounts.put(second, { name: "Second", email: `${second}@example.com` });
  return { account: second };
}

describe.runIf(hasBrowser)("a link of the host", { timeout: 120_000 }, () => {
  const visit = prepareVisits({ basePath: "/integrations" });

  it("opens the console without a sign-in, once, also in a tab that shows the console", async () => {
    await using visited = await visit();
    const { page, world, complaints } = visited;
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    await page.goto(new URL("/integrations/console", visited.address).href);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    const link = await follow(visited);
    await page.getByRole("heading", { name: "Overview", exact: true }).waitFor();
    expect(page.url()).toMatch(/\/integrations\/console#\/(?:\?|$)/u);
    expect(requested.filter((url) => url.includes("hwl_"))).toEqual([]);
    await page.reload();
    await page.getByRole("heading", { name: "Overview", exact: true }).waitFor();
    // A link that no longer works ends nothing.
    await page.goto(link);
    const failed = page.getByRole("dialog", { name: "The link does not work" });
    await failed.getByText("The link was already used or has expired.").waitFor();
    await failed.getByText(`You are still signed in to ${world.account}`).waitFor();
    await failed.getByRole("button", { name: "Close" }).click();
    await page.getByRole("heading", { name: "Overview", exact: true }).waitFor();
    const tab = await page.context().newPage();
    await tab.goto(link);
    await tab.getByText("The link was already used or has expired.").waitFor();
    await tab.getByRole("button", { name: "Sign in" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("to another account asks, and Cancel keeps the console and ends the session of the link", async () => {
    await using visited = await visit();
    const { page, world, complaints } = visited;
    const second = await createSecond(world);
    await follow(visited);
    await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Keys" }).click();
    const token = await tokenIn(page);
    const linked = page.waitForResponse((response) => response.url().endsWith("/session/link"));
    const ended = page.waitForResponse((response) => response.request().method() === "DELETE");
    await follow(visited, second);
    const asked = page.getByRole("dialog", { name: "Open another account?" });
    await asked.getByText(`You are signed in to ${world.account} (${world.email}).`).waitFor();
    await asked.getByText(`The link opens the console of Second (${second.account}@`).waitFor();
    const { data } = JSON.parse(await (await linked).text());
    await asked.getByRole("button", { name: "Cancel" }).click();
    await ended;
    expect(await tokenIn(page)).toBe(token);
    await page.getByRole("heading", { name: "Keys", exact: true }).waitFor();
    const authorization = `Bearer ${data.token}`;
    const response = await world.hookwright.fetch(
      new Request("http://localhost/integrations/v1/me", { headers: { authorization } }),
    );
    expect(response.status).toBe(401);
    expect(complaints).toEqual([]);
  });

  it("to another account opens it after Continue, and going back shows nothing of the first", async () => {
    await using visited = await visit();
    const { page, world, complaints } = visited;
    const second = await createSecond(world);
    await follow(visited);
    await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Keys" }).click();
    const token = await tokenIn(page);
    await follow(visited, second);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Account Second" }).waitFor();
    await page.getByRole("heading", { name: "Overview", exact: true }).waitFor();
    const next = await tokenIn(page);
    expect(next).not.toBe(token);
    for (let step = 1; step <= 2; step++) {
      await page.goBack();
      await page.reload();
      await page.getByRole("button", { name: "Account Second" }).waitFor();
      expect(await tokenIn(page)).toBe(next);
    }
    expect(complaints).toEqual([]);
  });

  it("with read_only opens a console that says so and has no enabled button that changes data", async () => {
    await using visited = await visit();
    const { page, complaints } = visited;
    await follow(visited, { readOnly: true });
    const note = page.getByText("This is a read-only session. You can see everything but change nothing.");
    await note.waitFor();
    await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Webhooks" }).click();
    const create = page.getByRole("button", { name: "Create webhook" }).first();
    await expect.poll(() => create.isDisabled()).toBe(true);
    await expect.poll(() => create.getAttribute("title")).toBe("A read-only session cannot change anything.");
    await page.reload();
    await note.waitFor();
    // A link to the same account does not ask.
    await follow(visited);
    await note.waitFor({ state: "detached" });
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
