import { memoryStore } from "@hookwright/storage/memory";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { expect, it } from "vitest";
import { createHookwright } from "../src/create-hookwright.ts";

interface FoundExample {
  /** JSON pointer of the schema in the document. */
  readonly schema: string;
  readonly value: unknown;
}

type Json = Readonly<Record<string, unknown>>;

await using hookwright = await createHookwright({
  store: memoryStore(),
  secret: "s".repeat(32),
  role: "api",
});
const document = asJson(
  await (await hookwright.fetch(new Request("http://localhost/v1/openapi.json"))).json(),
);

const schemaWords = ["type", "enum", "const", "anyOf", "$ref"];

/** Finds all examples: beside a schema, in a list of named examples, and inside a schema. */
function* findExamples(node: Json, pointer: string): Generator<FoundExample> {
  const beside =
    "schema" in node ? `${pointer}/schema` : schemaWords.some((word) => word in node) ? pointer : undefined;
  if (beside !== undefined && "example" in node) yield { schema: beside, value: node["example"] };
  if ("schema" in node) {
    for (const named of Object.values(asJson(node["examples"])))
      yield { schema: `${pointer}/schema`, value: asJson(named)["value"] };
  }
  for (const [name, child] of Object.entries(node)) {
    if (name === "example" || name === "examples") continue;
    yield* findExamples(asJson(child), `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
  }
}

function asJson(value: unknown): Json {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

it("every example in the OpenAPI document matches its schema", () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats(ajv);
  ajv.addSchema({ ...document, $id: "openapi" });
  const wrong: string[] = [];
  let count = 0;
  for (const { schema, value } of findExamples(document, "")) {
    count += 1;
    const validate = ajv.compile({ $ref: `openapi#${schema.split("/").map(encodeURIComponent).join("/")}` });
    if (!validate(value))
      wrong.push(`${schema}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`);
  }
  expect(wrong).toEqual([]);
  // More than a hundred errors, a success per operation, seven deliveries, and the fields of the schemas.
  expect(count).toBeGreaterThan(300);
});

it("every body in the OpenAPI document has an example", () => {
  const without: string[] = [];
  let bodies = 0;
  // Schemas are skipped, because `content` is a field of a blog post there.
  const look = (node: Json, pointer: string): void => {
    for (const [type, media] of Object.entries(asJson(node["content"]))) {
      bodies += 1;
      const { example, examples } = asJson(media);
      if (example === undefined && Object.keys(asJson(examples)).length === 0)
        without.push(`${pointer} ${type}`);
    }
    for (const [name, child] of Object.entries(node))
      if (name !== "example" && name !== "schema") look(asJson(child), `${pointer}/${name}`);
  };
  look(asJson(document["paths"]), "/paths");
  look(asJson(document["webhooks"]), "/webhooks");
  expect(without).toEqual([]);
  expect(bodies).toBeGreaterThan(100);
});
