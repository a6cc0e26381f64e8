import { describe, expect, it } from "vitest";
import { hasBrowser } from "../support/open-browser.ts";
import { prepareVisits } from "../support/visit-console.ts";

const events = {
  "parcel.sent": {
    schema: { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } },
    sample: { id: "par_1" },
    description: "A parcel is sent.",
  },
} as const;

describe.runIf(hasBrowser)("without the events of the specification", () => {
  const visit = prepareVisits({ builtInEvents: false, events });

  it("the console offers the host's own: in the choice of events, in commands and in tests", async () => {
    await using visited = await visit();
    const { page, open } = visited;
    await open("webhooks?create=webhook");
    const dialog = page.getByRole("dialog");
    await expect.poll(() => dialog.getByRole("checkbox", { name: "parcel.sent" }).isChecked()).toBe(true);
    expect(await dialog.getByText("order.created").count()).toBe(0);
    await page.keyboard.press("Escape");
    await open("listen");
    await expect.poll(() => page.getByText(/trigger parcel\.sent/u).count()).toBe(1);
    await open("events");
    await expect.poll(() => page.getByRole("heading", { name: "Parcel sent" }).count()).toBe(1);
  });
});

describe.runIf(hasBrowser)("without any event", () => {
  const visit = prepareVisits({ builtInEvents: false });

  it("the console says so, and a webhook of all events can be created", async () => {
    await using visited = await visit();
    const { page, open } = visited;
    await open("events");
    await expect.poll(() => page.getByText("There are no events yet.").count()).toBe(1);
    await open("listen");
    await page.locator(".command-line code").first().waitFor();
    await expect.poll(() => page.getByText(/trigger/u).count()).toBe(0);
    await open("webhooks?create=webhook");
    const dialog = page.getByRole("dialog");
    await expect.poll(() => dialog.getByText("There are no events yet.").count()).toBe(1);
    await dialog.getByLabel("URL").fill("https://example.com/hooks");
    await dialog.getByRole("checkbox", { name: /All events/u }).check();
    await dialog.getByRole("button", { name: "Create webhook" }).click();
    await expect.poll(() => page.getByText("Webhook created").count()).toBe(1);
  });
});
