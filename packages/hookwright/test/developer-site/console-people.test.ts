import { describe, expect, it } from "vitest";
import { hasBrowser } from "../support/open-browser.ts";
import { prepareVisits } from "../support/visit-console.ts";

describe.runIf(hasBrowser)("people of an account", { timeout: 120_000 }, () => {
  const visit = prepareVisits();

  it("are invited, join, see only what their role may do, get another role and are removed", async () => {
    await using visited = await visit();
    const { page, world, complaints, open } = visited;
    const email = `ada@${world.account.replaceAll("_", "-")}.example.com`;
    await open("people");
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByRole("dialog").getByLabel("E-mail").fill(email);
    await page.getByRole("dialog").getByLabel("Role").selectOption("viewer");
    await page.getByRole("dialog").getByRole("button", { name: "Create invitation" }).click();
    const shown = page.getByRole("dialog", { name: "Send this link" });
    const link = await shown.locator("code").innerText();
    await shown.getByRole("button", { name: "Close" }).click();
    const row = page.getByRole("row", { name: email });
    await row.getByText("invited until").waitFor();

    const context = await page.context().browser()?.newContext();
    if (context === undefined) throw new Error("no browser");
    await using _ = { [Symbol.asyncDispose]: () => context.close() };
    const theirs = await context.newPage();
    await theirs.clock.install();
    await theirs.goto(link);
    await theirs.getByText(`You are invited to the console of ${world.account}`).waitFor();
    await theirs.getByLabel("Your name").fill("Ada");
    await theirs.getByLabel("Password").fill("Ada's own password");
    await theirs.getByRole("button", { name: "Join" }).click();
    await theirs.getByRole("heading", { name: "Overview", exact: true }).waitFor();
    expect(theirs.url()).not.toContain("invitation");
    await theirs.getByRole("button", { name: "Account Ada" }).waitFor();
    const goTo = async (section: string, heading: string): Promise<void> => {
      await theirs.evaluate((next) => location.assign(next), `#/${section}`);
      await theirs.getByRole("heading", { name: heading, exact: true, level: 1 }).waitFor();
    };
    await goTo("people", "People");
    await theirs.getByText("login of the account").waitFor();
    await theirs.getByText("you", { exact: true }).waitFor();
    expect(await theirs.getByRole("button", { name: /Invite|Remove|role of/u }).count()).toBe(0);
    await goTo("webhooks", "Webhooks");
    expect(await theirs.getByRole("button", { name: "Create webhook" }).count()).toBe(0);

    await page.getByRole("button", { name: /^Change the role of/u }).click();
    await page.getByRole("dialog").getByLabel("Role").selectOption("developer");
    await page.getByRole("dialog").getByRole("button", { name: "Change role" }).click();
    await page.getByRole("row", { name: "Ada" }).getByText("developer").waitFor();
    await theirs.clock.fastForward(60_000);
    await theirs.getByRole("button", { name: "Create webhook" }).waitFor();

    await goTo("settings", "Settings");
    await theirs.getByRole("button", { name: "Change your name and time zone" }).click();
    await theirs.getByRole("dialog").getByLabel("Your name").fill("Ada Lovelace");
    await theirs.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await theirs.getByRole("button", { name: "Account Ada Lovelace" }).waitFor();
    await theirs.getByRole("button", { name: "Change password" }).click();
    const password = theirs.getByRole("dialog", { name: "Your password" });
    await password.getByLabel("Current password").fill("a guess");
    await password.getByLabel("New password").fill("Ada's next password");
    await password.getByRole("button", { name: "Change password" }).click();
    await password.getByText("Current password is wrong").waitFor();
    await password.getByLabel("Current password").fill("Ada's own password");
    await password.getByRole("button", { name: "Change password" }).click();
    await theirs.getByText("The password was changed.").waitFor();
    await goTo("people", "People");

    await page.getByRole("button", { name: "Remove Ada" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove person" }).click();
    await theirs.getByText("You have been signed out.").waitFor();
    await page.getByRole("row", { name: "Ada" }).waitFor({ state: "detached" });

    await theirs.goto(link);
    await theirs.getByText("The invitation was already used, has expired or was withdrawn.").waitFor();
    expect(complaints).toEqual([]);
  });

  it("end one of their sessions in Settings, and Activity names them", async () => {
    await using visited = await visit();
    const { page, world, complaints, open } = visited;
    const person = { id: "user_17", name: "Grace Hopper", email: "grace@example.com" };
    const { url } = await world.hookwright.sessions.createLink(world.account, { person, path: "/keys" });
    const { token, path } = await world.hookwright.sessions.exchangeLink({
      code: url.split("/").at(-1) ?? "",
    });
    expect(path).toBe("/keys");
    await open("settings");
    await page.getByRole("button", { name: "End the session of Grace Hopper" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "End session" }).click();
    await page
      .getByRole("button", { name: "End the session of Grace Hopper" })
      .waitFor({ state: "detached" });
    const authorization = `Bearer ${token}`;
    const me = new Request("http://localhost/v1/me", { headers: { authorization } });
    expect((await world.hookwright.fetch(me)).status).toBe(401);
    await open("activity");
    await page.getByText("Grace Hopper (grace@example.com) signed in").waitFor();
    expect(complaints).toEqual([]);
  });

  it("open the page that a link of the host is for", async () => {
    await using visited = await visit();
    const { page, world, address, complaints } = visited;
    const { url } = await world.hookwright.sessions.createLink(world.account, {
      path: "/keys",
      role: "viewer",
    });
    await page.goto(new URL(url, address).href);
    await page.getByRole("heading", { name: "Keys", exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Create key" }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
