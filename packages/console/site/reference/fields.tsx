import type { ComponentChildren } from "preact";
import { resolve } from "./document.ts";
import type { ApiDocument, Parameter, Schema } from "./document.ts";
import { toInline } from "../console/parts/text.tsx";

/** Deeper fields are not shown. No body has as many levels. */
const maximumDepth = 6;

export function ParameterList({
  document,
  parameters,
}: {
  readonly document: ApiDocument;
  readonly parameters: readonly Parameter[];
}) {
  return (
    <ul class="fields">
      {parameters.map(({ name, in: place, required = false, description, schema }) => (
        <Field
          key={name}
          name={name}
          place={place}
          isRequired={required}
          document={document}
          schema={{ ...resolve(document, schema), ...(description === undefined ? {} : { description }) }}
          depth={0}
        />
      ))}
    </ul>
  );
}

export function FieldList({
  document,
  schema,
  depth = 0,
}: {
  readonly document: ApiDocument;
  readonly schema: Schema;
  readonly depth?: number;
}) {
  const { properties = {}, required = [], oneOf = [] } = schema;
  const choices = oneOf.flatMap((each) => (each.required === undefined ? [] : [each.required]));
  return (
    <ul class="fields">
      {choices.length === 0 ? null : <li>{toInline(`Either ${choices.map(nameAll).join(" or ")}.`)}</li>}
      {Object.entries(properties).map(([name, field]) => (
        <Field
          key={name}
          name={name}
          isRequired={required.includes(name)}
          document={document}
          schema={resolve(document, field)}
          depth={depth}
        />
      ))}
    </ul>
  );
}

const nameAll = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(" and ");

interface FieldProps {
  readonly name: string;
  /** Where a parameter is. */
  readonly place?: string;
  readonly isRequired: boolean;
  readonly document: ApiDocument;
  readonly schema: Schema;
  readonly depth: number;
}

function Field({ name, place, isRequired, document, schema, depth }: FieldProps) {
  const inner = innerOf(document, schema);
  return (
    <li>
      <p class="field-head">
        <code>{name}</code>
        <span class="quiet">
          {[typeOf(document, schema), ...(place === undefined ? [] : [`in ${place}`])].join(", ")}
        </span>
        {isRequired ? <span class="required">required</span> : null}
      </p>
      <p>{describe(withOnlyMember(document, schema))}</p>
      {inner === undefined || depth >= maximumDepth ? null : (
        <details>
          <summary>Fields of {name}</summary>
          <FieldList document={document} schema={inner} depth={depth + 1} />
        </details>
      )}
    </li>
  );
}

/** The object in a field, in its array, or beside `null`. */
export function innerOf(document: ApiDocument, schema: Schema): Schema | undefined {
  if (schema.properties !== undefined) return schema;
  if (schema.items !== undefined) return innerOf(document, resolve(document, schema.items));
  return schema.anyOf
    ?.map((each) => innerOf(document, resolve(document, each)))
    .find((each) => each !== undefined);
}

/** An empty value means that the field is left out, which the introduction says. */
const isSentEmpty = ({ $ref }: Schema): boolean => $ref?.endsWith("/SentEmpty") === true;

/** A field that may also be empty has the limits of its only other member. */
export function withOnlyMember(document: ApiDocument, schema: Schema): Schema {
  const { anyOf = [], ...own } = schema;
  const [only, ...others] = anyOf.filter((each) => !isSentEmpty(each) && each.type !== "null");
  if (only === undefined || others.length > 0) return schema;
  return withOnlyMember(document, { ...resolve(document, only), ...own });
}

export function typeOf(document: ApiDocument, schema: Schema): string {
  const { anyOf, oneOf, items, type, format } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (oneOf !== undefined) return typeOf(document, { anyOf: oneOf });
  if (anyOf !== undefined) {
    const types = anyOf.filter((each) => !isSentEmpty(each));
    return [...new Set(types.map((each) => typeOf(document, resolve(document, each))))].join(" or ");
  }
  if (items !== undefined) return `array of ${typeOf(document, resolve(document, items))}`;
  if (typeof type === "object") return type.join(" or ");
  return format === undefined ? (type ?? "any") : `${type} (${format})`;
}

function describe(schema: Schema): ComponentChildren {
  const { description, minimum, maximum, minLength, maxLength, maxItems, pattern } = schema;
  const limits = [
    ...(schema.enum === undefined
      ? []
      : [`One of ${schema.enum.map((each) => `\`${String(each)}\``).join(", ")}.`]),
    ...(schema.default === undefined ? [] : [`Default: \`${JSON.stringify(schema.default)}\`.`]),
    ...(minimum === undefined ? [] : [`At least ${minimum}.`]),
    ...(maximum === undefined || maximum > 1e15 ? [] : [`At most ${maximum}.`]),
    ...(minLength === undefined || minLength < 2 ? [] : [`At least ${minLength} characters.`]),
    ...(maxLength === undefined ? [] : [`At most ${maxLength.toLocaleString("en")} characters.`]),
    ...(maxItems === undefined ? [] : [`At most ${maxItems} items.`]),
    ...(pattern === undefined ? [] : [pattern === String.raw`\S` ? "Not blank." : `Matches \`${pattern}\`.`]),
  ];
  return toInline([...(description === undefined ? [] : [description]), ...limits].join(" "));
}
