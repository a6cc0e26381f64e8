import { z } from "zod";
import { cacheableResponse } from "../response/cacheable-content.ts";
import { defineHostRoute, definePublicRoute } from "../routing/define-route.ts";
import type { DocumentedRoute } from "../routing/route.ts";

const documentSchema = z.looseObject({
  openapi: z.string().meta({ description: "The version of OpenAPI.", example: "3.1.1" }),
});

export const openApiRoute: DocumentedRoute = {
  operationId: "getOpenApiDocument",
  summary: "The OpenAPI 3.1 description of this API",
  description: "It needs no key and has no envelope. Any origin may request it.",
  answers: { 200: documentSchema },
  bare: true,
  ...definePublicRoute("GET", "/v1/openapi.json", {
    anyOrigin: true,
    handle: async ({ context: { openApi }, basePath, ...request }) =>
      cacheableResponse(openApi(basePath()), request, {
        headers: { "cache-control": "public, max-age=300" },
      }),
  }),
};

export const hostOpenApiRoute = defineHostRoute("GET", "/host/v1/openapi.json", {
  operationId: "getHostOpenApiDocument",
  summary: "The OpenAPI 3.1 description of the host API",
  description: "It has no envelope.",
  scope: "read",
  reads: "few",
  answers: { 200: documentSchema },
  bare: true,
  handle: async ({ context: { hostOpenApi }, basePath, ...request }) =>
    cacheableResponse(hostOpenApi(basePath()), request, {
      headers: { "cache-control": "private, no-cache" },
    }),
});
