import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createFakeOutbox, memoryStoreWith } from "../support/fake-outbox.ts";
import { exportAs } from "../support/console-screens.ts";
import { hasBrowser } from "../support/open-browser.ts";
import { prepareVisits } from "../support/visit-console.ts";
import type { Visit } from "../support/visit-console.ts";

const hostToken = "support:read+manage:s3cret,viewer:read:r3ad,sync:publish:t0ken";

async function openOperator({ page, address }: Visit, token: string): Promise<void> {
  await page.goto(`${address}#/operator`);
  await page.getByLabel("Host token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** A second account with a webhook that was paused, and an entry of a host token. Returns its id. */
async function fillAccount({ world, address }: Visit): Promise<string> {
  const { accounts, webhooks } = world.hookwright;
  const account = `bakery_${world.account}`;
  await accounts.put(account, { name: "Analytical Bakery", email: `${account}@example.com` });
  const { webhook } = await webhooks.create(
    { accountId: account, credential: { type: "console" } },
    { event: "order.created", target_url: `${world.origin}/a-rather-long-path/of-a-webhook` },
  );
  await webhooks.pause(account, webhook.id);
  await fetch(new URL(`host/v1/accounts/${account}`, address), {
    method: "PUT",
    headers: { authorization: "Bearer s3cret", "content-type": "application/json" },
    body: JSON.stringify({ status: "suspended", limits: { webhooks: 5 } }),
  });
  return account;
}

/** Visits of a server of their own. */
const prepareOperatorVisits = (options: Parameters<typeof prepareVisits>[0] = {}) =>
  prepareVisits({ hostToken, operatorConsole: true, mount: "/integrations", ...options });

describe.runIf(hasBrowser)("the operator console of all accounts", { timeout: 120_000 }, () => {
  const outbox = createFakeOutbox();
  const visit = prepareOperatorVisits({ store: memoryStoreWith(outbox) });

  it("finds accounts, webhooks and changes, and opens an account read-only", async () => {
    await using visited = await visit();
    const { page, world, complaints } = visited;
    const bakery = await fillAccount(visited);
    await openOperator(visited, "s3cret");
    await page.getByText("0 active, 1 paused, 0 disabled").waitFor();
    await page.getByLabel("Id, name or e-mail").fill(bakery.toUpperCase());
    await page.getByRole("button", { name: "Search" }).click();
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await page.getByRole("row", { name: `Analytical Bakery ${bakery} Suspended` }).waitFor();

    await page.getByRole("link", { name: `Analytical Bakery ${bakery}` }).click();
    await page.getByRole("heading", { name: "Analytical Bakery", level: 1 }).waitFor();
    await page.getByText("no event", { exact: true }).first().waitFor();
    await page.getByRole("table", { name: "Webhooks of the account" }).getByText("Paused").waitFor();
    await page
      .getByRole("table", { name: "People of the account" })
      .getByText("login of the account")
      .waitFor();
    await page
      .getByRole("row", {
        name: /^The host token support updated the account status: active → suspended, limits.webhooks: 5/u,
      })
      .waitFor();
    await page.getByLabel("Change", { exact: true }).selectOption("webhook paused");
    const log = page.getByRole("table", { name: "What happened" });
    await expect.poll(() => log.getByRole("row").count()).toBe(2);
    await log.getByText("status: active → paused").waitFor();
    await page.getByRole("button", { name: "Erase a person's data" }).click();
    const dialog = page.getByRole("dialog", { name: "Erase a person's data?" });
    await dialog.getByLabel("E-mail address").fill("Ada@example.com");
    await dialog.getByRole("button", { name: "Erase" }).click();
    await page.getByText(/^Finished/u).waitFor();

    const navigation = page.getByRole("navigation", { name: "Operator console" });
    await navigation.getByRole("link", { name: "Webhooks" }).click();
    await page.getByText("No such webhooks.").waitFor();
    await page.getByRole("link", { name: "Paused" }).click();
    await page.getByRole("row", { name: `order.created ${bakery}` }).waitFor();
    await page.getByRole("link", { name: "Most waiting" }).click();
    await page.getByText("Nothing waits.").waitFor();

    const referenceOpened = page.context().waitForEvent("page");
    await navigation.getByRole("link", { name: "Reference" }).click();
    const reference = await referenceOpened;
    await reference.getByLabel("Host token").fill("t0ken");
    await reference.getByRole("button", { name: "Show the reference" }).click();
    await reference.getByRole("alert").filter({ hasText: 'does not have the scope "read"' }).waitFor();
    await reference.getByLabel("Host token").fill("r3ad");
    await reference.getByRole("button", { name: "Show the reference" }).click();
    await reference.getByRole("button", { name: "Try it: Numbers over all accounts" }).click();
    await reference.getByRole("button", { name: "Send", exact: true }).click();
    await reference
      .getByRole("status")
      .filter({ hasText: /^Answered 200 /u })
      .waitFor();
    expect(await reference.getByText("r3ad").count()).toBe(0);
    await reference.setViewportSize({ width: 390, height: 844 });
    expect(await reference.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await reference.close();

    // The first request finds nothing in a part of the accounts.
    const nothing = { accounts: [], webhooks: [], deliveries: [] };
    await page.route(/\/host\/v1\/search\?/u, (route) => {
      const url = new URL(route.request().url());
      if (url.searchParams.get("cursor") === null)
        return route.fulfill({
          json: { success: true, data: nothing, meta: { has_more: true, next_cursor: "more" } },
        });
      url.searchParams.delete("cursor");
      return route.continue({ url: url.href });
    });
    await navigation.getByRole("link", { name: "Search" }).click();
    await page.getByLabel("Account, record, order number, e-mail, URL or id").fill("A-rather-long-PATH");
    await page.getByRole("button", { name: "Search" }).click();
    const webhooks = page.getByRole("table", { name: "Webhooks" });
    await webhooks.getByRole("row", { name: /a-rather-long-path.* url .*bakery/u }).waitFor();
    await page.getByRole("status").getByText("1 found.").waitFor();
    await webhooks.getByRole("link", { name: bakery }).waitFor();
    await page.goBack();
    await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("");

    await navigation.getByRole("link", { name: "Accounts" }).click();
    const opened = page.context().waitForEvent("page");
    await page.getByRole("button", { name: `Open console of ${world.account}` }).click();
    const account = await opened;
    await account
      .getByText(`Account ${world.account} ${world.account}. This is a read-only session.`)
      .waitFor();
    expect(await account.evaluate(() => JSON.stringify([name, history.state, opener]))).not.toContain(
      "s3cret",
    );
    expect(complaints).toEqual([]);
  });

  it("corrects a rejected event, publishes it again, and removes another", async () => {
    await using visited = await visit();
    const { page, world, complaints } = visited;
    const longNumber = '"total": 1, "note": "1", "number": 12345678901234567890';
    outbox.add(1, "ord_1", { projectId: "site_none", data: `{"id": "ord_1", ${longNumber}}` });
    outbox.add(2, "ord_2", { projectId: world.site, data: '{"id": "ord_2"}' });
    await expect.poll(() => outbox.rejections.length).toBe(2);
    await openOperator(visited, "s3cret");
    const navigation = page.getByRole("navigation", { name: "Operator console" });
    await navigation.getByRole("link", { name: "Rejected 2" }).click();
    await page.getByRole("row", { name: /order\.created .*data\.total/u }).waitFor();
    await page.getByRole("row", { name: /order\.created .*no such site/u }).click();
    await page.getByText("project_id: no such site validation_failed").waitFor();
    await page.getByRole("button", { name: "Publish again" }).click();
    await page.getByText("Site no such site").waitFor();
    await page.getByLabel("Site").fill(world.site);
    const data = page.getByLabel("Data");
    const text = await data.inputValue();
    expect(text).toContain('"number": 12345678901234567890');
    await data.fill("{");
    await page.getByRole("button", { name: "Publish again" }).click();
    await page.getByText("The data is not JSON").waitFor();
    await data.fill(text.replace('"total": 1', '"total": 2.5'));
    await page.getByRole("button", { name: "Publish again" }).click();
    await page.getByText("Published again.").waitFor();
    await navigation.getByRole("link", { name: "Rejected 1" }).waitFor();
    await expect
      .poll(() => world.hookwright.orders.get(world.account, "ord_1").catch(() => ({})))
      .toMatchObject({ total: 2.5, number: "12345678901234567890" });

    await page.getByRole("row", { name: /order\.created/u }).click();
    await page.getByRole("button", { name: "Remove…" }).click();
    await page
      .getByRole("dialog", { name: "Remove this event?" })
      .getByRole("button", { name: "Remove" })
      .click();
    await page.getByText("No event was rejected.").waitFor();
    await navigation.getByRole("link", { name: "Audit log" }).click();
    await page
      .getByRole("row", {
        name: /^The host token support removed a rejected event event: order.created → none/u,
      })
      .waitFor();
    await page
      .getByRole("row", {
        name: `The host token support published a rejected event again event: order.created, project id: site_none → ${world.site}, data`,
      })
      .waitFor();
    expect(complaints).toEqual([]);
  });
});

describe.runIf(hasBrowser)("the operator console", { timeout: 120_000 }, () => {
  const visit = prepareOperatorVisits();
  const visitFailing = prepareOperatorVisits({ retryDelaysSeconds: [], endpointBackoffSeconds: 0 });

  it("disables a webhook with a reason that the owner reads, opens it, and shows who did it", async () => {
    await using visited = await visit();
    const { page, world, complaints } = visited;
    const { webhooks } = world.hookwright;
    const { webhook } = await webhooks.create(
      { accountId: world.account, credential: { type: "console" } },
      { event: "order.created", target_url: `${world.origin}/flooded` },
    );
    await openOperator(visited, "s3cret");
    const navigation = page.getByRole("navigation", { name: "Operator console" });
    await navigation.getByRole("link", { name: "Search" }).click();
    await page.getByRole("searchbox").fill(webhook.id);
    const search = page.getByRole("button", { name: "Search" });
    await search.click();
    const found = page.getByRole("table", { name: "Webhooks" });
    const [{ height: ofButton } = {}, { height: ofField } = {}] = await Promise.all(
      [search, page.getByRole("searchbox")].map(async (part) => (await part.boundingBox()) ?? undefined),
    );
    expect(ofButton).toBe(ofField);
    await found.getByRole("button", { name: "Actions for /flooded" }).click();
    await page.getByRole("menuitem", { name: "Disable …" }).click();
    const dialog = page.getByRole("dialog", { name: "Disable this webhook?" });
    expect(await dialog.evaluate((element) => getComputedStyle(element).textAlign)).toBe("start");
    expect(await dialog.getByRole("button", { name: "Disable" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Reason").fill("Your endpoint loops.");
    await dialog.getByRole("button", { name: "Disable" }).click();
    await found.getByText("Disabled by the operator").waitFor();
    await expect(webhooks.turnOn(world.account, webhook.id)).rejects.toThrow("Your endpoint loops.");

    const opened = page.context().waitForEvent("page");
    await found.getByRole("button", { name: "Actions for /flooded" }).click();
    await page.getByRole("menuitem", { name: "Open console" }).click();
    const owner = await opened;
    await owner.getByText("Disabled by the operator: Your endpoint loops.").waitFor();
    expect(owner.url()).toContain(`#/webhooks/${webhook.id}`);

    await found.getByRole("link", { name: world.account }).click();
    const log = page.getByRole("table", { name: "What happened" });
    await log
      .getByRole("row", {
        name: `The host token support disabled the webhook /flooded ${new URL(world.origin).host} status: active → disabled_by_host, reason: Your endpoint loops.`,
      })
      .waitFor();
    const download = page.waitForEvent("download");
    await exportAs(page, "CSV");
    const text = await readFile(await (await download).path(), "utf8");
    expect(text).toContain(`webhook.disabled,${world.account},webhook,${webhook.id}`);

    await page.getByRole("button", { name: "Actions for /flooded" }).click();
    await page.getByRole("menuitem", { name: "Enable" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Enable" }).click();
    await page.getByRole("table", { name: "Webhooks of the account" }).getByText("Unverified").waitFor();
    expect(complaints).toEqual([]);
  });

  it("tests a webhook, turns it on, sends again what it missed, pauses and resumes it", async () => {
    await using visited = await visitFailing();
    const { page, world, address, complaints } = visited;
    await world.createWebhook("/flooded");
    world.answerWith(500);
    for (let failures = 0; failures < 30; failures++) await world.publish(`rev_${failures}`);
    await world.settled();
    world.answerWith(204);
    await openOperator(visited, "s3cret");
    await page.goto(`${address}#/operator/accounts/${world.account}`);
    const webhooks = page.getByRole("table", { name: "Webhooks of the account" });
    const expectStatus = (text: string): Promise<void> =>
      webhooks.locator(".status", { hasText: text }).waitFor();
    const choose = async (item: string, confirm = item): Promise<void> => {
      await webhooks.getByRole("button", { name: "Actions for /flooded" }).click();
      await page.getByRole("menuitem", { name: item }).click();
      await page.getByRole("dialog").getByRole("button", { name: confirm }).click();
    };
    await expectStatus("Disabled");
    await choose("Send test");
    const tested = page.getByRole("dialog", { name: "Test of /flooded" });
    await tested.getByText("204").waitFor();
    await tested.getByRole("button", { name: "Close" }).last().click();
    await choose("Turn on");
    await expectStatus("Active");
    const received = world.received.length;
    await choose("Recover …", "Send again");
    await page.getByText("The recovery has started.").waitFor();
    await expect.poll(() => world.received.length).toBe(received + 30);
    await choose("Pause");
    await expectStatus("Paused");
    await choose("Resume");
    await expectStatus("Active");
    expect(complaints).toEqual([]);
  });

  it("opens a console that can change everything only with a reason, which the owner reads", async () => {
    await using visited = await visit();
    const { page, world, address, complaints } = visited;
    await openOperator(visited, "s3cret");
    await page.goto(`${address}#/operator/accounts/${world.account}`);
    await page.getByRole("button", { name: "Open to change…" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByRole("button", { name: "Open console" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Reason").fill("Ticket 4711");
    const opened = page.context().waitForEvent("page");
    await dialog.getByRole("button", { name: "Open console" }).click();
    const owner = await opened;
    const note = owner.getByRole("note").filter({ hasText: "Reason: Ticket 4711" });
    await note.waitFor();
    expect(await note.evaluate((element) => getComputedStyle(element).borderTopStyle)).toBe("solid");
    await owner.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Activity" }).click();
    await owner
      .getByRole("row", { name: /^The host token support created .* reason: Ticket 4711/u })
      .waitFor();
    expect(complaints).toEqual([]);
  });

  it("changes how long the log of an account is kept, and how its deliveries are repeated", async () => {
    await using visited = await visit();
    const { page, world, address, complaints } = visited;
    await openOperator(visited, "s3cret");
    await page.goto(`${address}#/operator/accounts/${world.account}`);
    await page.getByText("after 30 failed attempts in a row: about 30 minutes").waitFor();
    await page.getByRole("button", { name: "Change limits…" }).click();
    const dialog = page.getByRole("dialog", { name: `Limits of ${world.account}` });
    await dialog.getByLabel("Days in the logs").fill("Infinity");
    await dialog.getByLabel("Seconds between attempts").fill("60, soon");
    await dialog.getByRole("button", { name: "Change" }).click();
    await dialog.getByText(/^Days in the logs must be/u).waitFor();
    await dialog.getByText(/^delivery\.retry_delays_seconds\.1: must be/u).waitFor();
    await dialog.getByLabel("Days in the logs").fill("7");
    await dialog.getByLabel("Bodies in the log").selectOption("until accepted");
    await dialog.getByLabel("Failed attempts in a row until a webhook is disabled").fill("off");
    await dialog.getByLabel("Seconds between attempts").fill("60, 600");
    await dialog.getByRole("button", { name: "Change" }).click();
    await page.getByText("never: failures only space its attempts").waitFor();
    await page.getByRole("row", { name: /retention\.days: 7.*retention\.bodies: until_accepted/u }).waitFor();
    const read = () => world.hookwright.accounts.get(world.account);
    expect(await read()).toMatchObject({
      limits: { webhooks: null },
      retention: { days: 7, deliveries: null, bodies: "until_accepted" },
      delivery: { switch_off_after: "off", retry_delays_seconds: [60, 600] },
    });
    await page.getByRole("button", { name: "Change limits…" }).click();
    await dialog.getByLabel("Bodies in the log").selectOption("default");
    await dialog.getByLabel("Seconds between attempts").fill("");
    await dialog.getByRole("button", { name: "Change" }).click();
    await page.getByText("0.05, 3600").waitFor();
    expect(await read()).toMatchObject({
      retention: { days: 7, bodies: null },
      delivery: { switch_off_after: "off", retry_delays_seconds: null },
    });
    expect(complaints).toEqual([]);
  });

  it("needs a host token with the scope read, which stays in the tab", async () => {
    await using visited = await visit();
    const { page, world, address, complaints } = visited;
    await openOperator(visited, "wrong");
    await page.getByText("The host token is wrong.").waitFor();
    await openOperator(visited, "t0ken");
    await page.getByText('does not have the scope "read"').waitFor();
    await page.getByLabel("Host token").fill("r3ad");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Accounts", level: 1 }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Accounts", level: 1 }).waitFor();
    expect(
      await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
    ).not.toContain("r3ad");
    await page.getByRole("button", { name: `Open console of ${world.account}` }).click();
    await page.getByText('does not have the scope "manage"').waitFor();
    const other = await page.context().newPage();
    await other.goto(`${address}#/operator`);
    await other.getByLabel("Host token").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You have signed out.").waitFor();
    expect(await page.evaluate(() => JSON.stringify(history.state))).not.toContain("r3ad");
    expect(complaints).toEqual([]);
  });
});
