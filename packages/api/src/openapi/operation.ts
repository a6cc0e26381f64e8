import { z } from "zod";
import type { DocumentedRoute } from "../routing/route.ts";
import { toExample } from "./examples.ts";
import { toResponses } from "./responses.ts";
import { toJsonSchema, toSchemaOrReference } from "./schemas.ts";
import { tagOf } from "./tags.ts";

/** Generates an operation of the document from the route that serves it. */
export function toOperation(route: DocumentedRoute): object {
  const { operationId, summary, description, body } = route;
  return {
    operationId,
    summary,
    description: description ?? `${summary}.`,
    tags: [tagOf(route.path).name],
    security: route.access === "public" ? [] : [{ apiKey: [] }],
    parameters: [...pathParameters(route), ...queryParameters(route)],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            description: "Fields that are left out or empty change nothing. Unknown fields are ignored.",
            content: {
              "application/json": {
                schema: toSchemaOrReference(body.schema, "input"),
                example: toExample(body.schema, "input"),
              },
            },
          },
        }),
    responses: toResponses(route),
  };
}

/** No pattern, so that an unknown id reaches its 404. */
function pathParameters({ path }: DocumentedRoute): object[] {
  return [...path.matchAll(/\{(\w+)\}/gu)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    description: name === "type" ? "An event name, from `GET /v1/event-types`." : "The id.",
    schema: { type: "string" },
    example: name === "type" ? "order.created" : "an_id",
  }));
}

function queryParameters({ query }: DocumentedRoute): object[] {
  const { properties = {} } = toJsonSchema(query, "input");
  return Object.entries(properties as Readonly<Record<string, Record<string, unknown>>>).map(
    ([name, property]) => {
      const { description, example, ...rest } = property;
      // zod leaves out the default of a field whose input and output types differ.
      const usual = z.globalRegistry.get(query.shape[name] ?? z.unknown())?.["default"];
      const schema = usual === undefined ? rest : { ...rest, default: usual };
      return {
        name,
        in: "query",
        required: false,
        // An empty value means that the parameter is absent (contract: Requests).
        allowEmptyValue: true,
        description,
        schema,
        ...(example === undefined ? {} : { example }),
      };
    },
  );
}
