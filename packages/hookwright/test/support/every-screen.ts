import type { Page } from "playwright-core";
import { expect } from "vitest";
import { choosePart, openDelivery } from "./console-screens.ts";
import type { World } from "./open-console.ts";
import { publishMany } from "./visit-console.ts";

export interface Shown {
  readonly name: string;
  /** The fragment of the address. */
  readonly hash: string;
  /** What to open on the screen. */
  readonly open?: (page: Page) => Promise<void>;
}

const click =
  (name: string | RegExp) =>
  (page: Page): Promise<void> =>
    page.getByRole("button", { name }).first().click();

const openDrawer = async (page: Page): Promise<void> =>
  choosePart(await openDelivery(page, "rev_1"), "Signature");

const compare = async (page: Page): Promise<void> => {
  await choosePart(page, "Compare");
  await page.getByLabel("What your endpoint received").fill(JSON.stringify({ id: longText }));
  await click(/^Compare$/u)(page);
  await page.getByText("The first different byte").waitFor();
};

const share = async (page: Page): Promise<void> => {
  await click("Share")(page);
  await click("Create link")(page);
  await page.getByRole("list", { name: "Links that work" }).waitFor();
};

const testPast = async (page: Page): Promise<void> => {
  await click("Send test")(page);
  await choosePart(page, "Past delivery");
  await page.getByLabel("Delivery", { exact: true }).waitFor();
};

const selectAll = async (page: Page): Promise<void> => {
  await page.getByLabel("Select all rows that are shown").check();
  await click("Delete")(page);
};

/** Longer than any column is wide. */
const longText = "Accounting-and-invoicing-of-the-northern-warehouse";

/** Webhooks that work, fail, are paused and rotate their secret, with deliveries, a key and requests. Some texts are long. */
export async function fillAccount(world: World): Promise<{ readonly webhook: Ids; readonly failed: string }> {
  const create = async (url: string): Promise<string> => (await world.createWebhook(url)).id;
  const webhook = {
    working: await create("/working"),
    failing: await create("http://127.0.0.1:1/nobody-listens"),
    paused: await create("/paused"),
  };
  await world.ask(`POST /console/api/webhooks/${webhook.working}/rotate`);
  await world.ask(`POST /console/api/webhooks/${webhook.paused}/pause`);
  await world.ask(`DELETE /console/api/webhooks/${await create("/removed")}`);
  const { id: long } = await world.createWebhook(`/v2/tenants/${longText}/incoming?signature=none`, {
    event: undefined,
    events: ["review.submitted", "order.created", "order.paid", "subscriber.created"],
  });
  await world.ask(`PATCH /console/api/webhooks/${long}`, { headers: { "X-Tenant": longText } });
  const { id: named } = await world.createWebhook("/named", { name: longText });
  await publishMany(world, 2);
  await world.publish(longText.repeat(2).replaceAll("-", "_"));
  await world.settled();
  const listFailed = async () => (await world.ask("GET /console/api/deliveries?status=failed")).rows;
  await expect.poll(listFailed).toHaveLength(3);
  const { api_key } = await world.hookwright.apiKeys.create(world.account, { name: longText });
  for (const path of ["me", "contacts/unknown"])
    await world.hookwright.fetch(
      new Request(`http://localhost/v1/${path}`, { headers: { authorization: `Bearer ${api_key}` } }),
    );
  await world.ask("POST /console/api/people", { email: `${longText}@example.com`, role: "developer" });
  await world.hookwright.accounts.put(world.account, { name: longText });
  return { webhook: { ...webhook, long, named }, failed: String((await listFailed())[0]?.["id"]) };
}

type Ids = Readonly<Record<"working" | "failing" | "paused" | "long" | "named", string>>;

/** All screens, and what opens above them. A screen that follows itself is not loaded again. */
export function listScreens({ webhook, failed }: Awaited<ReturnType<typeof fillAccount>>): readonly Shown[] {
  const { working, failing, paused, long, named } = webhook;
  return [
    { name: "overview", hash: "" },
    { name: "palette", hash: "", open: (page) => page.keyboard.press("Control+k") },
    { name: "shortcuts", hash: "", open: (page) => page.keyboard.press("?") },
    { name: "account menu", hash: "", open: click(/^Account/u) },
    { name: "webhooks", hash: "webhooks" },
    { name: "webhooks, menu", hash: "webhooks", open: click(/^Actions for/u) },
    { name: "webhooks, selected", hash: "webhooks", open: selectAll },
    { name: "create webhook", hash: "webhooks?create=webhook" },
    { name: "webhook, failing", hash: `webhooks/${failing}` },
    { name: "webhook, test", hash: `webhooks/${failing}`, open: click("Send test") },
    { name: "webhook, test again", hash: `webhooks/${failing}`, open: testPast },
    { name: "webhook, recover", hash: `webhooks/${failing}?do=recover` },
    { name: "webhook, paused", hash: `webhooks/${paused}` },
    { name: "webhook, deliveries", hash: `webhooks/${working}?tab=deliveries` },
    { name: "webhook, secret", hash: `webhooks/${working}?tab=secret` },
    { name: "webhook, named", hash: `webhooks/${named}` },
    { name: "webhook, long", hash: `webhooks/${long}` },
    { name: "webhook, long, settings", hash: `webhooks/${long}?tab=settings` },
    { name: "deliveries", hash: "deliveries" },
    { name: "deliveries, drawer", hash: "deliveries", open: openDrawer },
    { name: "deliveries, filters", hash: "deliveries?kind=event", open: click(/^Filter/u) },
    { name: "delivery, response", hash: `deliveries/${failed}` },
    { name: "delivery, body", hash: `deliveries/${failed}`, open: (page) => choosePart(page, "Tree") },
    { name: "delivery, compare", hash: `deliveries/${failed}`, open: compare },
    { name: "delivery, share", hash: `deliveries/${failed}`, open: share },
    { name: "events", hash: "events" },
    { name: "listen", hash: "listen" },
    { name: "requests", hash: "requests" },
    { name: "request", hash: "requests", open: click(/unknown/u) },
    { name: "keys", hash: "keys" },
    { name: "create key", hash: "keys?create=key" },
    { name: "people", hash: "people" },
    { name: "invite", hash: "people", open: click("Invite") },
    { name: "activity", hash: "activity" },
    { name: "settings", hash: "settings" },
    { name: "resends", hash: "deliveries/resends" },
    { name: "unknown page", hash: "nothing/here" },
  ];
}

/** Shows a screen in a tab that has the console. */
export async function show(page: Page, { hash, open }: Shown): Promise<void> {
  await page.evaluate((next) => location.assign(next), `#/${hash}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.getByText("Loading …").first().waitFor({ state: "hidden" });
  await open?.(page);
}
