import { operations } from "../operations.ts";
import type { CallOptions } from "../options.ts";
import type { Send } from "../send.ts";

/** The OpenAPI 3.1 document of the API. */
export interface OpenApiDocument {
  /** The version of OpenAPI. */
  readonly openapi: string;
  readonly [field: string]: unknown;
}

/** Returns the OpenAPI document. The request is sent without the key. */
export type GetOpenApi = (options?: CallOptions) => Promise<OpenApiDocument>;

export function createGetOpenApi(send: Send): GetOpenApi {
  return async (options = {}) => {
    const answer = await send(operations.getOpenApiDocument, options);
    const { body } = answer;
    if ("openapi" in body && typeof body.openapi === "string") return { ...body, openapi: body.openapi };
    throw answer.unexpected("JSON that is not an OpenAPI document");
  };
}
