import { memoryStore } from "@hookwright/storage/memory";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { createHookwright } from "../src/create-hookwright.ts";

type Json = Readonly<Record<string, unknown>>;

await using hookwright = await createHookwright({
  store: memoryStore(),
  secret: "s".repeat(32),
  role: "api",
  rateLimitPerMinute: 100_000,
});
await hookwright.accounts.put("acc_1", { name: "One", email: "one@example.com" });
await hookwright.projects.put("site_1", { account_id: "acc_1", name: "One" });
await hookwright.emailLists.put("list_1", { project_id: "site_1", name: "News" });
const { api_key } = await hookwright.apiKeys.create("acc_1", { name: "Test" });

const document = asJson(await (await send("GET", "/v1/openapi.json")).json());
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats(ajv);
ajv.addSchema({ ...document, $id: "openapi" });

const operations = Object.entries(asJson(document["paths"])).flatMap(([path, methods]) =>
  Object.entries(asJson(methods)).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    operation: asJson(operation),
  })),
);

/** The values that mean "left out" (contract: Requests). */
const empties = ["", " \t\n", null, []];

describe("the OpenAPI document agrees with the server", () => {
  it("on every empty field of a body", async () => {
    const disagreements: string[] = [];
    let count = 0;
    for (const { path, method, operation } of operations.filter(hasBody)) {
      const pointer = `/paths/${path.replaceAll("/", "~1")}/${method.toLowerCase()}/requestBody/content/application~1json`;
      const isDescribed = ajv.compile({ $ref: `openapi#${pointer}/schema` });
      const { example } = asJson(
        asJson(asJson(asJson(operation["requestBody"])["content"])["application/json"]),
      );
      for (const field of Object.keys(asJson(example))) {
        for (const empty of empties) {
          const body = { ...asJson(example), [field]: empty };
          const { status } = await send(method, path, body);
          count += 1;
          if (isDescribed(body) !== status < 300)
            disagreements.push(`${method} ${path}: ${field} as ${JSON.stringify(empty)} gives ${status}`);
        }
      }
    }
    expect(disagreements).toEqual([]);
    // Three operations with five, five and nine fields, and webhooks with four.
    expect(count).toBeGreaterThan(80);
  });

  it("on every query parameter without a value", async () => {
    const disagreements: string[] = [];
    let count = 0;
    for (const { path, method, operation } of operations) {
      for (const parameter of listParameters(operation)) {
        if (parameter["in"] !== "query") continue;
        const place = path.replace("{type}", "order.created");
        const { status } = await send(method, `${place}?${String(parameter["name"])}=`);
        count += 1;
        if ((parameter["allowEmptyValue"] === true) !== (status === 200))
          disagreements.push(`${method} ${path}: ${String(parameter["name"])} gives ${status}`);
      }
    }
    expect(disagreements).toEqual([]);
    expect(count).toBeGreaterThan(12);
  });
});

function send(method: string, path: string, body?: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${api_key}`, "content-type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return hookwright.fetch(new Request(`http://localhost${path}`, { method, headers, ...sent }));
}

function hasBody({ operation }: { readonly operation: Json }): boolean {
  return "requestBody" in operation;
}

function listParameters({ parameters }: Json): readonly Json[] {
  return Array.isArray(parameters) ? parameters.map(asJson) : [];
}

function asJson(value: unknown): Json {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
