import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "hookwright";
import { expect, it } from "vitest";
import { renderApiPage } from "./support/render-api-page.ts";
import type { ApiDocument } from "./support/render-api-page.ts";

it("the page of the API says what the OpenAPI document says (`npm test -- docs/test/api-page.test.ts -u` writes it anew)", async () => {
  await using hookwright = await createHookwright({
    store: memoryStore(),
    secret: "s".repeat(32),
    role: "api",
  });
  const answered = await hookwright.fetch(new Request("http://localhost/v1/openapi.json"));
  const document: ApiDocument = await answered.json();
  await expect(renderApiPage(document)).toMatchFileSnapshot("../reference/api.md");
});
