import { describe, expect, it } from "vitest";
import { hasBrowser } from "../support/open-browser.ts";
import { prepareVisits, tokenIn } from "../support/visit-console.ts";
import type { Visit } from "../support/visit-console.ts";

/** Follows a new link in the tab of the visit. */
async function follow(
  { page, world, address }: Visit,
  { account = "acc_1", readOnly = false } = {},
): Promise<string> {
  const { url } = await world.hookwright.sessions.createLink(account, { read_only: readOnly });
  const link = new URL(url, address).href;
  await page.goto(link);
  return link;
}

describe.runIf(hasBrowser)("a link of the host", { timeout: 120_000 }, () => {
  const visit = prepareVisits();
  const basePath = "/integrations";

  it("opens the console without a sign-in, once, also in a tab that shows the console", async () => {
    await using visited = await visit({ basePath });
    const { page, complaints } = visited;
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
    await failed.getByText("You are still signed in to acc_1").waitFor();
    await failed.getByRole("button", { name: "Close" }).click();
    await page.getByRole("heading", { name: "Overview", exact: true }).waitFor();
    const tab = await page.context().newPage();
    await tab.goto(link);
    await tab.getByText("The link was already used or has expired.").waitFor();
    await tab.getByRole("button", { name: "Sign in" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("to another account asks, and Cancel keeps the console and ends the session of the link", async () => {
    await using visited = await visit({ basePath });
    const { page, world, complaints } = visited;
    await world.hookwright.accounts.put("acc_2", { name: "Second", email: "second@example.com" });
    await follow(visited);
    await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Keys" }).click();
    const token = await tokenIn(page);
    const linked = page.waitForResponse((response) => response.url().endsWith("/session/link"));
    const ended = page.waitForResponse((response) => response.request().method() === "DELETE");
    await follow(visited, { account: "acc_2" });
    const asked = page.getByRole("dialog", { name: "Open another account?" });
    await asked.getByText("You are signed in to acc_1 (owner@example.com).").waitFor();
    await asked.getByText("The link opens the console of Second (second@example.com)").waitFor();
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
    await using visited = await visit({ basePath });
    const { page, world, complaints } = visited;
    await world.hookwright.accounts.put("acc_2", { name: "Second", email: "second@example.com" });
    await follow(visited);
    await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Keys" }).click();
    const token = await tokenIn(page);
    await follow(visited, { account: "acc_2" });
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Account Second" }).waitFor();
    await page.getByRole("heading", { name: "Overview", exact: true }).waitFor();
    const second = await tokenIn(page);
    expect(second).not.toBe(token);
    for (let step = 1; step <= 2; step++) {
      await page.goBack();
      await page.reload();
      await page.getByRole("button", { name: "Account Second" }).waitFor();
      expect(await tokenIn(page)).toBe(second);
    }
    expect(complaints).toEqual([]);
  });

  it("to the same account does not ask", async () => {
    await using visited = await visit({ basePath });
    const { page } = visited;
    await follow(visited, { readOnly: true });
    await page.getByText("This is a read-only session.").waitFor();
    await follow(visited);
    await page.getByText("This is a read-only session.").waitFor({ state: "detached" });
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });

  it("with read_only opens a console that says so and has no enabled button that changes data", async () => {
    await using visited = await visit({ basePath });
    const { page, complaints } = visited;
    await follow(visited, { readOnly: true });
    await page.getByText("This is a read-only session. You can see everything but change nothing.").waitFor();
    await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Webhooks" }).click();
    const create = page.getByRole("button", { name: "Create webhook" }).first();
    await expect.poll(() => create.isDisabled()).toBe(true);
    await expect.poll(() => create.getAttribute("title")).toBe("A read-only session cannot change anything.");
    await page.reload();
    await page.getByText("This is a read-only session.").waitFor();
    expect(complaints).toEqual([]);
  });
});
