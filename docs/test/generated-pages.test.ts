import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "hookwright";
import { describe, expect, it } from "vitest";
import { renderApiPage } from "./support/render-api-page.ts";
import type { ApiDocument } from "./support/render-api-page.ts";
import { selectRoutes } from "../../packages/api/src/routes/select-routes.ts";
import { renderEventsPage } from "./support/render-events-page.ts";
import { renderRightsPage } from "./support/render-rights-page.ts";

describe("the generated reference page (`npm test -- docs/test/generated-pages.test.ts -u` updates it)", () => {
  it("of the API matches the OpenAPI document", async () => {
    await using hookwright = await createHookwright({
      store: memoryStore(),
      secret: "s".repeat(32),
      role: "api",
    });
    const response = await hookwright.fetch(new Request("http://localhost/v1/openapi.json"));
    const document: ApiDocument = await response.json();
    await expect(renderApiPage(document)).toMatchFileSnapshot("../reference/api.md");
  });

  it("of events matches the schemas", async () => {
    await expect(renderEventsPage()).toMatchFileSnapshot("../reference/events.md");
  });

  it("of rights matches the routes", async () => {
    await expect(renderRightsPage(selectRoutes({}))).toMatchFileSnapshot("../reference/rights.md");
  });
});
