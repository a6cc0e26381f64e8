/** The parts of the OpenAPI document that the page shows. */
export interface ApiDocument {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly description?: string; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly schema: Schema;
}

interface Content {
  readonly "application/json"?: {
    readonly schema: Schema;
    readonly example?: unknown;
    /** The examples of errors, by code. */
    readonly examples?: Readonly<Record<string, unknown>>;
  };
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface PageTexts {
  readonly title: string;
  /** The paragraph below the title. */
  readonly introduction: string;
  /** What authenticates a request, before the errors that every operation may have. */
  readonly credential: string;
}

/** Renders the page of all operations and events from the OpenAPI document. */
export function renderApiPage(document: ApiDocument, { title, introduction, credential }: PageTexts): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      title: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
  const webhooks = document.webhooks ?? {};
  const everywhere = commonCodes(operations.map(({ operation }) => operation));
  const sections = document.tags.flatMap(({ name, description }) => [
    `## ${name}`,
    description,
    ...operations
      .filter(({ operation }) => operation.tags.includes(name))
      .flatMap(({ title, operation }) => renderOperation(document, { title, operation, everywhere })),
  ]);
  const events = Object.entries(webhooks).flatMap(([event, { post }]) => [
    `### \`${event}\``,
    // The instructions for the response are the same for all events.
    `${post.summary}. ${post.description?.split(" Answer any 2xx")[0]}`,
    json(post.requestBody?.content["application/json"]?.example),
  ]);
  // All events have the same headers.
  const [anyEvent] = Object.values(webhooks);
  return `${[
    `# ${title}`,
    introduction,
    // Puts each paragraph on one line.
    ...document.info.description.split("\n\n").map((paragraph) => paragraph.replaceAll("\n", " ")),
    `${credential} Every one of them may be refused with ${listCodes(everywhere)}; [Errors](errors.md) says what each means, with its status.`,
    ...sections,
    ...(anyEvent === undefined
      ? []
      : [
          "## Deliveries",
          "The bodies of webhooks. [Receiving](../guide/receiving.md) says how to verify one and what to answer.",
          renderHeaders(anyEvent.post.parameters),
          ...events,
        ]),
  ].join("\n\n")}\n`;
}

function renderOperation(
  document: ApiDocument,
  options: {
    readonly title: string;
    readonly operation: Operation;
    readonly everywhere: ReadonlySet<string>;
  },
): string[] {
  const { title, operation, everywhere } = options;
  const { summary, description, parameters, requestBody, responses } = operation;
  const own = codesOf(operation).filter((code) => !everywhere.has(code));
  const body = requestBody?.content["application/json"];
  return [
    `### \`${title}\``,
    description?.startsWith(`${summary}.`) === true ? description : `${summary}. ${description}`,
    ...(parameters.length === 0 ? [] : [renderParameters(parameters)]),
    ...(body === undefined ? [] : [renderFields(document, body.schema), json(body.example)]),
    ...renderAnswer(responses),
    ...(own.length === 0 || !hasKey(operation) ? [] : [`Refused also with ${listCodes(own)}.`]),
  ];
}

function renderParameters(parameters: readonly Parameter[]): string {
  return table(
    ["Parameter", "In", "What it is"],
    parameters.map(({ name, in: place, description, schema }) => [
      `\`${name}\``,
      place,
      `${description}${limitOf(schema)}`,
    ]),
  );
}

function renderHeaders(headers: readonly Parameter[]): string {
  return table(
    ["Header", "What it is"],
    headers.map(({ name, description }) => [`\`${name}\``, description]),
  );
}

function renderFields(document: ApiDocument, schema: Schema): string {
  // Of a body that may also be a list, the fields of an entry.
  const { anyOf: forms = [], ...own } = resolve(document, schema);
  const [{ properties = {}, required = [] } = own] = forms;
  return table(
    ["Field", "Type", "What it is"],
    Object.entries(properties).map(([name, { description, anyOf, ...schema }]) => {
      // Optional fields also allow an empty value. The top of the page explains that once.
      const [given = schema] = anyOf ?? [];
      return [
        `\`${name}\`${required.includes(name) ? ", required" : ""}`,
        given.type ?? "",
        `${description}${limitOf(given)}`,
      ];
    }),
  );
}

/** Renders the `data` of the success response. */
function renderAnswer(responses: Operation["responses"]): string[] {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const [, { content } = {}] = successes.at(-1) ?? [];
  const example = content?.["application/json"]?.example;
  const statuses = successes.map(([status]) => status).join(" or ");
  if (!isEnvelope(example)) {
    const kinds = Object.keys(content ?? {}).filter((type) => type !== "application/json");
    const file =
      kinds.length === 0 ? "the document" : `a file: ${kinds.map((type) => `\`${type}\``).join(" or ")}`;
    return [`Answers ${statuses} with ${file}.`];
  }
  return [`Answers ${statuses} with \`data\`:`, json(example.data)];
}

function isEnvelope(example: unknown): example is { readonly data: unknown } {
  return typeof example === "object" && example !== null && "data" in example;
}

function codesOf({ responses }: Operation): string[] {
  return Object.values(responses).flatMap(({ content }) =>
    Object.keys(content?.["application/json"]?.examples ?? {}),
  );
}

function hasKey({ security }: Operation): boolean {
  return security.length > 0;
}

function commonCodes(operations: readonly Operation[]): ReadonlySet<string> {
  const [first = [], ...others] = operations.filter(hasKey).map(codesOf);
  return new Set(first.filter((code) => others.every((codes) => codes.includes(code))));
}

function listCodes(codes: Iterable<string>): string {
  const links = Array.from(new Set(codes), (code) =>
    /^(?:internal_error|invalid_state)$/u.test(code) ? `\`${code}\`` : `[\`${code}\`](errors.md#${code})`,
  );
  return [...links.slice(0, -2), links.slice(-2).join(" and ")].join(", ");
}

function resolve({ components }: ApiDocument, schema: Schema): Schema {
  return components.schemas[schema.$ref?.split("/").at(-1) ?? ""] ?? schema;
}

function limitOf({ maximum, maxLength, maxItems, default: usual }: Schema): string {
  const otherwise = usual === undefined ? "" : ` Left out: ${JSON.stringify(usual)}.`;
  if (maximum !== undefined) return ` At most ${maximum}.${otherwise}`;
  if (maxLength !== undefined) return ` At most ${maxLength.toLocaleString("en")} characters.`;
  return maxItems === undefined ? "" : ` At most ${maxItems} entries.`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function json(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}
