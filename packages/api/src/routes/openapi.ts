import { z } from "zod";
import { cacheableAnswer } from "../answer/cacheable-content.ts";
import { noQuery } from "../request/query-parameters.ts";
import { definePublicRoute } from "../routing/define-route.ts";

export const openApiRoute = definePublicRoute({
  method: "GET",
  path: "/v1/openapi.json",
  operationId: "getOpenApiDocument",
  summary: "This API, described in OpenAPI 3.1",
  description:
    "The description you are reading. It needs no key, is answered without the envelope, and any origin may ask for it.",
  query: noQuery,
  answers: {
    200: z.looseObject({
      openapi: z.string().meta({ description: "The version of OpenAPI.", example: "3.1.1" }),
    }),
  },
  bare: true,
  anyOrigin: true,
  handle: async ({ openApi, basePath, ...request }) =>
    cacheableAnswer(openApi(basePath()), request, { headers: { "cache-control": "public, max-age=300" } }),
});
