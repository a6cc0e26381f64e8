import { afterAll, beforeAll, describe, it as test } from "vitest";
import { verify } from "@hookwright/signature";
import { choosePart, openSection } from "../../../packages/hookwright/test/support/console-screens.ts";
import { hasBrowser, shareBrowser } from "../../../packages/hookwright/test/support/open-browser.ts";
import type { Browser } from "../../../packages/hookwright/test/support/open-browser.ts";
import {
  createWebhook,
  sendTest,
  webhookLink,
} from "../../../packages/hookwright/test/support/visit-console.ts";
import { cliCommands } from "../../../packages/console/site/console/parts/cli-commands.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { openFlow, startFlowServer } from "./support/open-flows.ts";
import type { Flow } from "./support/open-flows.ts";

/** For what the stream of changes brings, also while all flows run at the same time. */
const soon = { timeout: 20_000 };

/** Creates a webhook for the flow's receiver and opens it. Returns its secret. */
async function createAndOpen({ page, url }: Flow): Promise<string> {
  await openSection(page, "Webhooks");
  const secret = await createWebhook(page, url);
  await webhookLink(page, url).click();
  await page.getByRole("button", { name: "Send test" }).waitFor();
  return secret;
}

/** What crosses several screens. The tests of each screen are in `hookwright`. */
describe.runIf(hasBrowser)("the console of a server", { timeout: 180_000 }, () => {
  const resources = new AsyncDisposableStack();
  let server: ServerProcess;
  let browser: Browser;
  const it = test.concurrent;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startFlowServer(), shareBrowser()]);
    resources.use(server);
  }, 60_000);
  afterAll(() => resources.disposeAsync());
  const open = (): Promise<Flow> => openFlow({ server, browser });

  it("creates a webhook with a snippet that verifies, and tests it", async ({ expect }) => {
    await using flow = await open();
    const { page, url, received } = flow;
    await openSection(page, "Webhooks");
    await page.getByRole("button", { name: "Create webhook" }).first().click();
    const form = page.getByRole("dialog", { name: "Create a webhook" });
    await form.getByLabel("URL").fill(url);
    await form.getByRole("button", { name: "Create webhook" }).click();
    const created = page.getByRole("dialog", { name: "Webhook created" });
    const secret = await created.getByLabel("Signing secret", { exact: true }).inputValue();
    await choosePart(created, "Python");
    const snippet = created.getByLabel("Verification in Python", { exact: true });
    await expect.poll(() => snippet.textContent()).toContain("WEBHOOK_SECRET");
    await created.getByRole("button", { name: "Skip and go live" }).click();
    await created.getByText("It is live").waitFor();
    await created.getByRole("button", { name: "I have stored it" }).click();
    await webhookLink(page, url).click();
    const result = await sendTest(page);
    await result.and(page.getByRole("dialog", { name: "Test: 204, accepted" })).waitFor();
    const [{ headers, body } = { headers: {}, body: "" }] = received;
    await expect(verify({ headers, body, secrets: secret })).resolves.toMatchObject({
      event: "order.created",
    });
  });

  it("turns a disabled webhook on and recovers what was missed", async ({ expect }) => {
    await using flow = await open();
    const { page, received } = flow;
    await createAndOpen(flow);
    flow.answerWith(500);
    await flow.publish("rev_1", "rev_2", "rev_3", "rev_4", "rev_5");
    const banner = page.locator(".note").filter({ hasText: "after 30 failed attempts in a row" });
    await banner.waitFor(soon);
    await flow.publish("rev_missed_1", "rev_missed_2");
    await banner.getByText("2 not sent").waitFor(soon);
    await page.getByRole("link", { name: "Overview" }).first().click();
    const attention = page.getByRole("region", { name: "Needs attention" });
    await attention.getByText("2 not sent").waitFor(soon);
    flow.answerWith(204);
    const before = received.length;
    await attention.getByRole("link", { name: "Turn on and recover" }).click();
    const dialog = page.getByRole("dialog", { name: "Send again" });
    await expect
      .poll(() => dialog.getByRole("checkbox", { name: /^Events that happened while/u }).isChecked())
      .toBe(true);
    await dialog.getByRole("button", { name: "Send again" }).click();
    await page.getByRole("cell", { name: "Finished" }).waitFor(soon);
    await expect
      .poll(() => flow.receivedRecords().slice(before), soon)
      .toEqual(expect.arrayContaining(["rev_missed_1", "rev_missed_2"]));
    await expect.poll(() => banner.count()).toBe(0);
  });

  it("sends an example of an event to a webhook", async ({ expect }) => {
    await using flow = await open();
    const { page, url } = flow;
    await openSection(page, "Webhooks");
    await createWebhook(page, url);
    await openSection(page, "Events");
    const entry = page
      .getByRole("listitem")
      .filter({ has: page.getByRole("heading", { name: /review\.submitted/u }) });
    await entry.getByText("Fields and sample").click();
    await entry.getByLabel("Sample of review.submitted", { exact: true }).waitFor();
    // From the schema, not from the sample.
    await entry.getByText("Whether the customer bought the product.").waitFor();
    await entry.getByRole("button", { name: "Send example" }).click();
    await page.getByText("The endpoint answered 204.").waitFor();
    expect(flow.received[0]?.headers["x-service-test"]).toBe("1");
  });

  it("shows deliveries as they happen", async () => {
    await using flow = await open();
    const { page } = flow;
    await createAndOpen(flow);
    await openSection(page, "Listen");
    await page.getByText("Waiting for the next delivery.").waitFor();
    await flow.publish("rev_1");
    await page.getByRole("row").filter({ hasText: "rev_1" }).first().waitFor(soon);
  });

  it("guides a new account to its first event", async ({ expect }) => {
    await using flow = await open();
    const { page, url } = flow;
    const done = (title: string) => page.getByRole("heading", { name: `${title} (done)`, level: 3 });
    const commands = page.getByText(/^(?:npx|export) /u);
    const tag = await page.locator("#console").getAttribute("data-cli-tag");
    const { login, printSecret, listen, trigger, verify } = cliCommands(server.url, String(tag));
    const printed = [login, printSecret, listen, trigger("order.created"), verify];
    await expect.poll(() => commands.allTextContents()).toEqual(printed);
    await page.getByRole("link", { name: "Create webhook" }).click();
    const form = page.getByRole("dialog", { name: "Create a webhook" });
    await form.getByLabel("URL").fill(url);
    await form.getByRole("checkbox", { name: /review\.submitted/u }).check();
    await form.getByRole("button", { name: /^Create/u }).click();
    await page.getByRole("button", { name: "I have stored it" }).click();
    await openSection(page, "Overview");
    await done("Create a webhook").waitFor();
    await page.getByRole("button", { name: "Send test" }).click();
    await page.getByText("answered 204.").waitFor();
    await done("Send a test event").waitFor(soon);
    await page.getByRole("button", { name: "Go live", exact: true }).click();
    await page.getByRole("button", { name: "Go live", exact: true }).waitFor({ state: "detached" });
    await expect.poll(() => done("Verify the signature").count()).toBe(0);
    await flow.publish("rev_1");
    await done("See the first real event").waitFor(soon);
    await page.getByLabel("My endpoint verifies it").check();
    await page.getByRole("heading", { name: "First steps: all done" }).waitFor();
    await page.getByRole("button", { name: "Dismiss" }).click();
    const steps = page.getByRole("region", { name: "First steps" });
    await steps.waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Account /u }).click();
    await page.getByRole("button", { name: "First steps" }).click();
    await steps.waitFor();
    await page.getByText(/^No webhook needs attention\. Last event/u).waitFor(soon);
  });
});
