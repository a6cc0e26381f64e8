import { z } from "zod";
import { cacheableResponse } from "../response/cacheable-content.ts";
import { definePublicRoute } from "../routing/define-route.ts";
import type { DocumentedRoute } from "../routing/route.ts";

export const openApiRoute: DocumentedRoute = {
  operationId: "getOpenApiDocument",
  summary: "The OpenAPI 3.1 description of this API",
  description: "It needs no key and has no envelope. Any origin may request it.",
  answers: {
    200: z.looseObject({
      openapi: z.string().meta({ description: "The version of OpenAPI.", example: "3.1.1" }),
    }),
  },
  bare: true,
  ...definePublicRoute("GET", "/v1/openapi.json", {
    anyOrigin: true,
    handle: async ({ openApi, basePath, ...request }) =>
      cacheableResponse(openApi(basePath()), request, {
        headers: { "cache-control": "public, max-age=300" },
      }),
  }),
};
