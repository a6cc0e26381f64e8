import type { BodyForm } from "@hookwright/domain";
import { isRow } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
import type { ServerEvents } from "../api/read-events.ts";
import { escapeControls, toSafeJson } from "../terminal/escape-controls.ts";
import { toComment, toType } from "./to-type.ts";

export interface RenderOptions {
  /** One line that says where the file comes from. */
  readonly origin: string;
  readonly bodyForm: BodyForm;
}

/** The fields of a body, in their order. */
const fieldsOf = {
  hookwright: ["id", "event", "project", "data"],
  standard: ["type", "timestamp", "data", "id", "project"],
} as const;

const fieldTypes = {
  id: "string",
  event: "Name",
  type: "Name",
  timestamp: "string",
  project: "EventProject",
  data: "EventData[Name]",
};

/** The TypeScript of all bodies, without an import: a union that `event` (in the form `standard`: `type`) discriminates. */
export function renderTypeScript(
  { events, body }: ServerEvents,
  { origin, bodyForm }: RenderOptions,
): string {
  const taken = new Set(["EventData", "EventProject", "DeliveryBody"]);
  const takeName = (event: string) => (words: string) => {
    const parts = `${event} ${words}`.match(/[A-Za-z\d]+/gu) ?? [];
    const joined = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join("");
    const name = /^[A-Z]/u.test(joined) ? joined : `_${joined}`;
    let free = name;
    for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`;
    taken.add(free);
    return free;
  };
  const types = events.map(({ event, data, ...rest }) => ({
    event,
    ...rest,
    ...toType(data, takeName(event), "  "),
  }));
  const fields = fieldsOf[bodyForm];
  return [
    `// ${escapeControls(origin)}`,
    "",
    "/** The `data` of each event, for the verifier: `verify<EventData>({ … })`. */",
    "export interface EventData {",
    ...types.flatMap(({ event, description, type }) => [
      ...toComment({ description }).map((line) => `  ${line}`),
      `  ${toSafeJson(event)}: ${type};`,
    ]),
    "}",
    "",
    "/** The site of an event. */",
    `export interface EventProject ${toType(body.project, takeName("project")).type}`,
    "",
    `/** The body of a delivery. Comparing \`${fields.find((name) => fieldTypes[name] === "Name")}\` with a name narrows \`data\`. */`,
    "export type DeliveryBody = {",
    "  [Name in keyof EventData]: {",
    ...fields.map((name) => `    ${name}: ${fieldTypes[name]};`),
    "  };",
    "}[keyof EventData];",
    ...types.flatMap(({ named }) => named.flatMap(({ name, type }) => ["", `type ${name} = ${type};`])),
  ].join("\n");
}

/** One JSON Schema (2020-12) of all bodies. Each event is also a schema of its own under `$defs`. Bodies may have further fields. */
export function renderJsonSchema(
  { events, body }: ServerEvents,
  { origin, bodyForm }: RenderOptions,
): string {
  const timestamp = {
    type: "string",
    format: "date-time",
    description: "When the event was published. It is the same on every attempt and resend.",
  };
  const bodies = events.map(({ event, description, data }) => {
    const named = { type: "string", const: event };
    const schemas = {
      ...body,
      project: allowMoreFields(body.project),
      timestamp,
      event: named,
      type: named,
      data: allowMoreFields(data),
    };
    const properties = Object.fromEntries(fieldsOf[bodyForm].map((name) => [name, schemas[name]]));
    return [event, { type: "object", description, required: Object.keys(properties), properties }] as const;
  });
  return toSafeJson(
    {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $comment: origin,
      oneOf: events.map(({ event }) => ({ $ref: `#/$defs/${event}` })),
      $defs: Object.fromEntries(bodies),
    },
    2,
  );
}

/**
 * Lets objects have further fields: a newer server may send them, and a receiver that checks its bodies must not refuse these.
 * What only a reference reaches stays as it is, and so does `oneOf`: a second of its schemas could accept the value then.
 */
function allowMoreFields(schema: Row): Row {
  const { additionalProperties, properties, items, anyOf, ...rest } = schema;
  return {
    ...rest,
    ...(additionalProperties === undefined || additionalProperties === false ? {} : { additionalProperties }),
    ...(isRow(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, each]) => [name, openIn(each)]),
          ),
        }
      : {}),
    ...(items === undefined ? {} : { items: openIn(items) }),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(openIn) } : {}),
  };
}

/** A schema may also be `true` or `false`. */
function openIn(schema: unknown): unknown {
  return isRow(schema) ? allowMoreFields(schema) : schema;
}
