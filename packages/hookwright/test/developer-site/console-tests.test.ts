import { describe, expect, it } from "vitest";
import { hasBrowser } from "../support/open-browser.ts";
import { prepareVisits } from "../support/visit-console.ts";

describe.runIf(hasBrowser)("what a test sends", { timeout: 120_000 }, () => {
  const visit = prepareVisits();

  it("is the sample, edited or not, of any event of the webhook, or what a delivery sent", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    const events = ["order.created", "review.submitted"];
    const { id } = await world.createWebhook("/hook", { event: undefined, events });
    await world.publish("rev_past");
    await world.settled();
    const lastBody = (): string => String(world.received.at(-1)?.body);
    const past = lastBody();
    await open(`webhooks/${id}`);
    const asked = page.getByRole("dialog", { name: "Send a test" });
    const openDialog = () => page.getByRole("button", { name: "Send test" }).click();
    const send = async (): Promise<void> => {
      await asked.getByRole("button", { name: "Send test" }).click();
      const result = page.getByRole("dialog", { name: "Test: 204, accepted" });
      await result.getByRole("button", { name: "Close" }).click();
    };
    await openDialog();
    const data = asked.getByLabel("Data");
    await expect.poll(async () => JSON.parse(await data.inputValue()).total).toBeDefined();
    await asked.getByLabel("Event of the test").selectOption("review.submitted");
    const sample = JSON.parse(await data.inputValue());
    await data.fill("{");
    await asked.getByRole("button", { name: "Send test" }).click();
    await asked.getByText("The data must be a JSON object: SyntaxError").waitFor();
    await data.fill(JSON.stringify({ ...sample, ratin: 1 }));
    await asked.getByRole("button", { name: "Send test" }).click();
    await asked.getByText("data.ratin: is not a field of review.submitted (did you mean rating?)").waitFor();
    await data.fill(JSON.stringify({ ...sample, content: "Ünusual" }));
    await send();
    expect(JSON.parse(lastBody()).data).toMatchObject({ content: "Ünusual" });

    await openDialog();
    await asked.getByLabel("Event of the test").selectOption("review.submitted");
    await asked.getByRole("radio", { name: "Past delivery" }).check();
    await expect.poll(() => asked.getByLabel("Delivery", { exact: true }).textContent()).toMatch(/rev_past/u);
    await expect.poll(() => asked.getByRole("option", { name: /^test_/u }).count()).toBe(0);
    await asked
      .getByLabel("Delivery", { exact: true })
      .selectOption({ label: await asked.getByRole("option", { name: /^rev_past/u }).innerText() });
    await send();
    expect(lastBody()).toBe(past);
    expect(world.received.at(-1)?.headers["x-service-test"]).toBe("1");
    expect(complaints).toEqual([]);
  });
});
