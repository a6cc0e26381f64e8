import { expect, it } from "vitest";
import { renderEventsPage } from "./support/render-events-page.ts";

it("the page of events says what the schemas say (`npm test -- docs/test/events-page.test.ts -u` writes it anew)", async () => {
  await expect(renderEventsPage()).toMatchFileSnapshot("../reference/events.md");
});
