import { describe, expect, it } from "vitest";
import { hasBrowser } from "../support/open-browser.ts";
import { prepareVisits } from "../support/visit-console.ts";
import type { Visit } from "../support/visit-console.ts";

/** Follows a new link in the tab of the visit. */
async function follow({ page, world, address }: Visit, readOnly = false): Promise<string> {
  const { url } = await world.hookwright.sessions.createLink("acc_1", { read_only: readOnly });
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
    await page.goto(link);
    await page.getByText("The link was already used or has expired.").waitFor();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("with read_only opens a console that says so and has no enabled button that changes data", async () => {
    await using visited = await visit({ basePath });
    const { page, complaints } = visited;
    await follow(visited, true);
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
