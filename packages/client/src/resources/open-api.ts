import { operations } from "../operations.ts";
import type { CallOptions } from "../options.ts";
import type { Send } from "../send.ts";

/** The OpenAPI 3.1 document, as it was answered. */
export interface OpenApiDocument {
  /** Version of OpenAPI. */
  readonly openapi: string;
  readonly [field: string]: unknown;
}

/** The API's own description. It needs no key, and none is sent. */
export type GetOpenApi = (options?: CallOptions) => Promise<OpenApiDocument>;

export function createGetOpenApi(send: Send): GetOpenApi {
  return async (options = {}) => {
    const answer = await send(operations.getOpenApiDocument, options);
    const { body } = answer;
    if ("openapi" in body && typeof body.openapi === "string") return { ...body, openapi: body.openapi };
    throw answer.unexpected("JSON that is no OpenAPI document");
  };
}
