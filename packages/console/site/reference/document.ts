/** The parts of an OpenAPI 3.1 document that the reference shows. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly description?: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface OperationObject {
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content & { readonly description?: string };
  readonly responses: Readonly<Record<string, Partial<Content> & { readonly description: string }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Content {
  readonly content: Readonly<Record<string, MediaType>>;
}

interface MediaType {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

export interface Operation {
  /** Its id in the page, which links of the console name: `tag/orders/GET/v1/orders/{id}`. */
  readonly anchor: string;
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string | undefined;
  /** True if it needs no key. */
  readonly isPublic: boolean;
  readonly parameters: readonly Parameter[];
  readonly body:
    | { readonly description: string | undefined; readonly schema: Schema; readonly example: unknown }
    | undefined;
  readonly responses: readonly Response[];
}

interface Response {
  readonly status: string;
  readonly description: string;
  readonly schema: Schema | undefined;
  readonly example: unknown;
}

export interface Section {
  readonly anchor: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly operations: readonly Operation[];
}

/** The operations by their tags, in the order of the document, and the webhooks as the last section. */
export function toSections(document: ApiDocument): readonly Section[] {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const sections = document.tags.map(({ name, description }): Section => {
    const anchor = `tag/${name.toLowerCase().replaceAll(" ", "-")}`;
    const own = all.filter(({ operation }) => operation.tags.includes(name));
    return {
      anchor,
      name,
      description,
      operations: own.map(({ path, method, operation }) =>
        toOperation(anchor, method.toUpperCase(), path, operation),
      ),
    };
  });
  const sent = Object.entries(document.webhooks ?? {}).map(([event, { post }]) =>
    post === undefined ? [] : [toOperation("webhook", "POST", event, post)],
  );
  const events: Section = {
    anchor: "webhooks",
    name: "What webhooks send",
    description: "The request that your endpoint gets for each event.",
    operations: sent.flat(),
  };
  return [...sections, events].filter(({ operations }) => operations.length > 0);
}

function toOperation(tag: string, method: string, path: string, operation: OperationObject): Operation {
  const { summary, description, security, parameters = [], requestBody, responses } = operation;
  const sent = requestBody?.content["application/json"];
  return {
    anchor: tag === "webhook" ? `webhook/${path}` : `${tag}/${method}${path}`,
    method,
    path,
    summary,
    description,
    isPublic: security?.length === 0,
    parameters,
    body:
      sent?.schema === undefined
        ? undefined
        : { description: requestBody?.description, schema: sent.schema, example: exampleOf(sent) },
    responses: Object.entries(responses).map(([status, response]) => {
      const media = response.content?.["application/json"];
      return {
        status,
        description: response.description,
        schema: media?.schema,
        example: media === undefined ? undefined : exampleOf(media),
      };
    }),
  };
}

function exampleOf({ example, examples = {} }: MediaType): unknown {
  return example ?? Object.values(examples)[0]?.value;
}

/** Follows a reference within the document. */
export function resolve(document: ApiDocument, schema: Schema): Schema {
  const { $ref, ...own } = schema;
  const found = $ref === undefined ? undefined : document.components.schemas[$ref.split("/").at(-1) ?? ""];
  return found === undefined ? schema : { ...found, ...own };
}
