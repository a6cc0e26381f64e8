import type { EventRegistry } from "@hookwright/domain";
import { z } from "zod";
import type { DocumentedRoute } from "../routing/route.ts";
import { tagOf } from "./described-api.ts";
import type { DescribedApi } from "./described-api.ts";
import { toExample } from "./examples.ts";
import { toPathParameters } from "./path-parameters.ts";
import { toResponses } from "./responses.ts";
import { toJsonSchema, toSchemaOrReference } from "./schemas.ts";

/** Generates an operation of the document from the route that serves it. */
export function toOperation(route: DocumentedRoute, api: DescribedApi, events: EventRegistry): object {
  const { operationId, summary, description = `${summary}.`, scope, body } = route;
  const scopes = scope === undefined ? [] : [scope];
  return {
    operationId,
    summary,
    description: [description, ...scopes.map((each) => `Needs the scope \`${each}\`.`)].join(" "),
    tags: [tagOf(route.path, api).name],
    security: route.access === "public" ? [] : [{ [api.credential.name]: scopes }],
    parameters: [...toPathParameters(route), ...queryParameters(route)],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.optional !== true,
            description: "Fields that are left out or empty change nothing. Unknown fields are ignored.",
            content: {
              "application/json": {
                schema: toSchemaOrReference(body.schema, "input", api),
                example: toExample(body.schema, "input", { name: operationId, events }),
              },
            },
          },
        }),
    responses: toResponses(route, api, events),
  };
}

function queryParameters({ query }: DocumentedRoute): object[] {
  const { properties = {} } = toJsonSchema(query, "input");
  return Object.entries(properties as Readonly<Record<string, Record<string, unknown>>>).map(
    ([name, property]) => {
      // The handler refuses a request without it, as it refuses an empty one.
      const { description, example, required = false, ...rest } = property;
      // zod leaves out the default of a field whose input and output types differ.
      const usual = z.globalRegistry.get(query.shape[name] ?? z.unknown())?.["default"];
      const schema = usual === undefined ? rest : { ...rest, default: usual };
      return {
        name,
        in: "query",
        required,
        // An empty value means that the parameter is absent (contract: Requests).
        allowEmptyValue: required !== true,
        description,
        schema,
        ...(example === undefined ? {} : { example }),
      };
    },
  );
}
