import type { Mail } from "../../src/index.ts";
import { describe, expect, it } from "vitest";
import { hasBrowser } from "../support/open-browser.ts";
import { prepareVisits } from "../support/visit-console.ts";

/** The part of the link of a mail that is behind the URL of the console. */
function fragmentOf(mail: Mail | undefined): string {
  return /console(#\/\S+\/hws_\S+)/u.exec(mail?.text ?? "")?.[1] ?? "";
}

describe.runIf(hasBrowser)("the notices of the console", { timeout: 120_000 }, () => {
  const mails: Mail[] = [];
  const visit = prepareVisits({
    publicUrl: "https://hooks.example.com",
    mailer: { send: async (mail) => void mails.push(mail) },
  });

  it("Settings lists who is told, adds and tests an address, and the link of its mail stops it", async () => {
    await using visited = await visit();
    const { page, address, open, complaints } = visited;
    await open("settings");
    await page.getByText("a webhook fails").first().waitFor();
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Send notices" });
    await dialog.getByLabel("To").fill("nobody");
    await dialog.getByLabel("How").selectOption("chat");
    await dialog.getByRole("button", { name: "Add" }).click();
    await dialog.getByText(/must/u).first().waitFor();
    await dialog.getByLabel("How").selectOption("email");
    await dialog.getByLabel("To").fill("ops@example.com");
    await dialog.getByRole("button", { name: "Add" }).click();
    await page.getByText("not confirmed").waitFor();
    await page.getByRole("button", { name: "Send the link to ops@example.com again" }).click();
    await page.getByText("The link was sent to").waitFor();
    const reader = await page.context().newPage();
    await reader.goto(new URL(fragmentOf(mails.at(-1)), address).href);
    await reader.getByText("would get mails about the webhooks of").waitFor();
    await reader.getByRole("button", { name: "Confirm the address" }).click();
    await reader.getByText("gets mails about").waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Test ops@example.com" }).click();
    await page.getByText("A test was sent to").waitFor();
    const find = () => mails.find(({ subject }) => subject === "A test of your notices");
    await expect.poll(() => find()?.to).toBe("ops@example.com");
    await reader.goto(new URL(fragmentOf(find()), address).href);
    await reader.getByText("gets mails about the webhooks of").waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Remove ops@example.com" }).waitFor();
    await reader.getByRole("button", { name: "Stop these mails" }).click();
    await reader.getByText("gets no more mails").waitFor();
    await page.reload();
    await page.getByText("a webhook fails").first().waitFor();
    await expect.poll(() => page.getByText("ops@example.com").count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
