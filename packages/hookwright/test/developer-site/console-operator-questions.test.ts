import { describe, expect, it } from "vitest";
import { hasBrowser } from "../support/open-browser.ts";
import { prepareVisits } from "../support/visit-console.ts";

const hostToken = "support:read+manage:s3cret";
const shops = 20;

describe.runIf(hasBrowser)("support's five questions", { timeout: 120_000 }, () => {
  const visit = prepareVisits({
    hostToken,
    operatorConsole: true,
    retryDelaysSeconds: [],
    endpointBackoffSeconds: 0,
  });

  it("are answered in the pages, each in at most five clicks", async () => {
    await using visited = await visit();
    const { page, world, address, complaints } = visited;
    const { accounts, projects, webhooks, publish } = world.hookwright;
    for (let shop = 1; shop <= shops; shop++) {
      const account = `shop_${shop}`;
      await accounts.put(account, { name: `Shop ${shop}`, email: `${account}@example.com` });
      await projects.put(`site_${shop}`, { account_id: account, name: "Shop" });
      const target_url = `${world.origin}/orders/${shop}`;
      await webhooks.create(
        { accountId: account, credential: { type: "console" } },
        { event: "order.created", target_url },
      );
    }
    const order = (shop: number, number: number) =>
      publish({
        event: "order.created",
        project_id: `site_${shop}`,
        data: { id: `ord_${shop}_${number}`, number: String(number), total: 10, currency: "EUR" },
      });
    const [wanted] = (await order(3, 1_042)).deliveries;
    const failed = async (shop: number): Promise<number> =>
      (await accounts.ledger(`shop_${shop}`)).totals.failed;
    await expect.poll(async () => (await accounts.ledger("shop_3")).totals.delivered).toBe(1);
    world.answerWith(500);
    for (let number = 1; number <= 4; number++) await order(7, number);
    await order(12, 1);
    await expect.poll(() => failed(7)).toBe(4);

    let clicks = 0;
    await page.exposeFunction("countClick", () => void (clicks += 1));
    await page.goto(`${address}#/operator`);
    await page.evaluate("addEventListener('click', (event) => event.isTrusted && countClick(), true)");
    await page.getByLabel("Host token").fill("s3cret");
    await page.getByLabel("Host token").press("Enter");
    await page.getByRole("heading", { name: "Accounts", level: 1 }).waitFor();
    const answered = (question: string): void => {
      expect([question, clicks <= 5]).toEqual([question, true]);
      clicks = 0;
    };

    clicks = 0;
    await page.getByLabel("Order", { exact: true }).selectOption("Most not delivered");
    const first = page.getByRole("table", { name: "Accounts with events" }).getByRole("row").nth(1);
    await first.getByText("4 failed").waitFor();
    expect(await first.textContent()).toContain("Shop 7");
    answered("who loses most");

    await first.getByRole("link", { name: "Shop 7" }).click();
    await page.getByRole("button", { name: "Actions for /orders/7" }).click();
    await page.getByRole("menuitem", { name: "Disable …" }).click();
    const dialog = page.getByRole("dialog", { name: "Disable this webhook?" });
    await dialog.getByLabel("Reason").fill("It answers 500.");
    await dialog.getByRole("button", { name: "Disable" }).click();
    await page.getByRole("table", { name: "Webhooks" }).getByText("Disabled by the operator").waitFor();
    answered("stop this one");

    await page
      .getByRole("table", { name: "What happened" })
      .getByRole("row", { name: /^The host token support disabled the webhook .* reason: It answers 500\./u })
      .waitFor();
    answered("who did this");

    await page.getByRole("link", { name: "Search", exact: true }).click();
    await page.getByRole("searchbox").fill("1042");
    await page.getByRole("searchbox").press("Enter");
    const found = page.getByRole("table", { name: "Deliveries" });
    await found.getByRole("row", { name: /Delivered.*ord_3_1042/u }).waitFor();
    answered("where is order 1042");

    const opened = page.context().waitForEvent("page");
    await found.getByRole("button", { name: `Open console of shop_3 deliveries ${wanted}` }).click();
    const owner = await opened;
    await owner.getByRole("note").getByText("Account Shop 3 shop_3. This is a read-only session.").waitFor();
    await owner.getByText("ord_3_1042").first().waitFor();
    expect(owner.url()).toContain(`#/deliveries/${wanted}`);
    answered("show me what they see");
    expect(complaints).toEqual([]);
  });
});
