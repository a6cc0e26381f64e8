import { describe, expect, it } from "vitest";
import { cliCommands } from "../../../console/site/console/parts/cli-commands.ts";
import { renderSnippet } from "../../../console/site/console/parts/verify-snippets.ts";
import { hasBrowser } from "../support/open-browser.ts";
import { prepareVisits } from "../support/visit-console.ts";

/** `npx.test.ts` of the server runs these commands as they are printed. */
describe.runIf(hasBrowser)("the commands on the screens", { timeout: 120_000 }, () => {
  const visit = prepareVisits({ mount: "/integrations" });

  it("are those that are tested, for the server of the page", async () => {
    await using visited = await visit();
    const { page, world, open, address } = visited;
    const printed = async (screen: string): Promise<readonly string[]> => {
      await open(screen);
      const commands = page.locator(".command-line code");
      await commands.first().waitFor({ state: "attached" });
      return commands.allTextContents();
    };
    await open("listen");
    const tag = await page.locator("#console").getAttribute("data-cli-tag");
    expect(tag).toMatch(/^[\w-]+$/u);
    const server = address.replace(/\/console$/u, "");
    const { login, printSecret, listen, trigger, replay, verify } = cliCommands(server, String(tag));
    const all = [login, printSecret, listen, trigger("order.created")];
    expect(await printed("listen")).toEqual(all);
    // First steps, of an account without webhooks.
    const { install } = renderSnippet("Node", { server, headerPrefix: undefined });
    expect(await printed("")).toEqual([...all, install, verify]);
    const { rows } = await world.ask("GET /console/api/event-types");
    expect(await printed("events")).toEqual(rows.map(({ event }) => trigger(String(event))));

    await world.createWebhook();
    const [id = ""] = await world.publish("rev_1");
    await world.settled();
    await page.clock.setFixedTime(Date.now() + 600_000);
    expect(await printed(`deliveries/${id}`)).toEqual([replay(id, 1)]);
  });
});
