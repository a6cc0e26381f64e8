import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "hookwright";
import { describe, expect, it } from "vitest";
import { renderApiPage } from "./support/render-api-page.ts";
import type { ApiDocument } from "./support/render-api-page.ts";
import { selectRoutes } from "../../packages/api/src/routes/select-routes.ts";
import { renderEventsPage } from "./support/render-events-page.ts";
import { renderRightsPage } from "./support/render-rights-page.ts";

async function readDocument(path: string): Promise<ApiDocument> {
  await using hookwright = await createHookwright({
    store: memoryStore(),
    secret: "s".repeat(32),
    hostToken: "host-token",
    role: "api",
  });
  const headers = { authorization: "Bearer host-token" };
  const response = await hookwright.fetch(new Request(`http://localhost${path}`, { headers }));
  return response.json();
}

describe("the generated reference page (`npm test -- docs/test/generated-pages.test.ts -u` updates it)", () => {
  it("of the API matches the OpenAPI document", async () => {
    const page = renderApiPage(await readDocument("/v1/openapi.json"), {
      title: "The API",
      introduction:
        "All operations of `/v1` and all events, made of the [OpenAPI document](#get-v1openapijson) that every server answers itself. A running server lets you try them, at [`/reference`](../guide/developer-site.md).",
      credential: "Each but the document needs a key: `Authorization: Bearer <API_KEY>`.",
    });
    await expect(page).toMatchFileSnapshot("../reference/api.md");
  });

  it("of the host API matches its OpenAPI document", async () => {
    const page = renderApiPage(await readDocument("/host/v1/openapi.json"), {
      title: "The host API",
      introduction:
        "All operations of `/host/v1`, made of the [OpenAPI document](#get-hostv1openapijson) that every server with a host token answers itself. [Running the server](../guide/running.md#telling-it-what-happens) shows the first calls, and [`@hookwright/client/host`](../../packages/client/README.md#the-host-api) makes them from JavaScript. With the operator console, a server lets you try them, at `/host-reference`.",
      credential: "Each needs a host token: `Authorization: Bearer <HOST_TOKEN>`.",
    });
    await expect(page).toMatchFileSnapshot("../reference/host-api.md");
  });

  it("of events matches the schemas", async () => {
    await expect(renderEventsPage()).toMatchFileSnapshot("../reference/events.md");
  });

  it("of rights matches the routes", async () => {
    await expect(renderRightsPage(selectRoutes({}))).toMatchFileSnapshot("../reference/rights.md");
  });
});
