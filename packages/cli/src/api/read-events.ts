import { findHeaderPrefix } from "@hookwright/domain";
import type { BodyForm } from "@hookwright/domain";
import type { ApiClient } from "./api-client.ts";
import { notThisApi } from "./api-errors.ts";
import { rowOf, rowsOf, textOf } from "./fields.ts";
import type { Row } from "./fields.ts";

/** An event as the OpenAPI document of a server describes it. */
export interface EventSchema {
  readonly event: string;
  readonly description: string | undefined;
  /** The JSON Schema of `data`. Its local references begin here. */
  readonly data: Row;
}

/** What the OpenAPI document of a server says about its deliveries. */
export interface ServerEvents {
  /** Those of the specification and its own, sorted by their names: the same events make the same file. A server may have none yet. */
  readonly events: readonly EventSchema[];
  /** The JSON Schemas of the fields that all bodies have. */
  readonly body: { readonly id: Row; readonly project: Row };
  /** The form of bodies for webhooks without a form of their own. */
  readonly bodyForm: BodyForm;
  /** The prefix of the names of its headers, such as `X-Service`. */
  readonly headerPrefix: string;
}

/**
 * Reads the events of a server. It needs no key: the document is public.
 *
 * @throws {CliError} `server_unreachable`
 */
export async function readEvents(api: ApiClient): Promise<ServerEvents> {
  const path = "/v1/openapi.json";
  const document = await api.read({ path });
  const webhooks = rowOf(document, "webhooks");
  if (webhooks === undefined) throw notThisApi(api, `${path} describes no events`);
  const posts = Object.entries(webhooks).map(([event, webhook]) => {
    const post = rowAt({ webhook }, "webhook", "post");
    return { event, post, schema: rowAt(post, "requestBody", "content", "application/json", "schema") };
  });
  const [{ post, schema: body } = { post: {}, schema: {} }] = posts;
  const properties = rowAt(body, "properties");
  const parameters = rowsOf(post, "parameters");
  return {
    events: posts
      .map(({ event, schema }) => ({
        event,
        description: textOf(schema, "description"),
        data: rowAt(schema, "properties", "data"),
      }))
      .toSorted((left, right) => (left.event < right.event ? -1 : 1)),
    body: { id: rowAt(properties, "id"), project: rowAt(properties, "project") },
    bodyForm: "timestamp" in properties ? "standard" : "hookwright",
    headerPrefix: findHeaderPrefix(parameters.map((parameter) => textOf(parameter, "name") ?? "")),
  };
}

/** The row at a path. Empty if there is none. */
function rowAt(row: Row, ...path: readonly string[]): Row {
  return path.reduce((outer, name) => rowOf(outer, name) ?? {}, row);
}
