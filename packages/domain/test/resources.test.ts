import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import * as domain from "../src/index.ts";

const schemas = Object.entries<unknown>(domain).filter(
  (entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType,
);

const schemaNamed = new Map(schemas);

function fieldsOf(schema: z.ZodType): string {
  const { properties = {} } = z.toJSONSchema(schema, { io: "output" });
  return Object.keys(properties).join(" ");
}

function refusal(schema: z.ZodType, value: unknown): string {
  try {
    domain.parseInput(schema, domain.withoutEmpty(value));
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}

describe("read shapes", () => {
  it.each([
    ["accountSchema", "id name email timezone plan demo created_at"],
    ["planSchema", "name integrations crm monthly_new_subscribers blog_posts_per_site"],
    ["projectSchema", "id name timezone created_at"],
    [
      "webhookSchema",
      "id event events target_url project_id status consecutive_failures last_success_at last_failure_at created_at",
    ],
    ["contactSchema", "id project_id email name phone notes tags created_at updated_at"],
    ["subscriberSchema", "id email name status tags created_at project_id list_ids"],
    [
      "blogPostSchema",
      "id project_id title content excerpt tags slug meta_title meta_description featured_image status created_at updated_at",
    ],
    ["emailListSchema", "id project_id name created_at"],
    ["eventTypeSchema", "event name description sample"],
    [
      "apiKeySchema",
      "id name prefix integration rights project_id expires_at created_at last_used_at revoked_at webhooks_count",
    ],
    [
      "attemptSchema",
      "id number started_at duration_ms phases reused request status headers excerpt body_state error detail summary next_attempt_at",
    ],
    ["deletedSchema", "id deleted"],
  ] as const)("%s has the fields of the contract", (name, fields) => {
    expect(fieldsOf(schemaNamed.get(name) ?? z.never())).toBe(fields);
  });

  it("contain a secret only if it is created or presented", () => {
    const withSecret = schemas.filter(([, schema]) =>
      /signing_secret|api_key|password/.test(fieldsOf(schema)),
    );
    expect(withSecret.map(([name]) => name)).toStrictEqual([
      "accountInputSchema",
      "createdApiKeySchema",
      "putNoticeEndpointSchema",
      "listenerInputSchema",
      "ownChangeSchema",
      "acceptanceSchema",
      "signInSchema",
      "createdWebhookSchema",
      "createdConsoleWebhookSchema",
      "webhookInputSchema",
      "consoleWebhookInputSchema",
    ]);
  });

  it.each(domain.specificationEvents.types)("accept the sample of $event", (eventType) => {
    expect(domain.eventTypeSchema.parse(eventType)).toStrictEqual(eventType);
  });
});

describe("schemas", () => {
  it.each(schemas)("%s converts to JSON Schema for input and output", (_name, schema) => {
    for (const io of ["input", "output"] as const) {
      expect(z.toJSONSchema(schema, { io, unrepresentable: "throw" })).toHaveProperty("description");
    }
  });

  it.each(schemas)("%s describes each of its fields", (_name, schema) => {
    const { properties = {} } = z.toJSONSchema(schema, { io: "output" });
    for (const field of Object.values(properties)) expect(field).toHaveProperty("description");
  });
});

describe("input shapes", () => {
  it("do not validate event, URL, site and list, which have their own error codes", () => {
    const long = "x".repeat(5_000);
    expect(refusal(domain.webhookInputSchema, { event: long, target_url: long, project_id: long })).toBe("");
    expect(refusal(domain.subscriberInputSchema, { project_id: "s", email: "a@b.co", list_id: long })).toBe(
      "",
    );
    expect(refusal(domain.webhookInputSchema, { event: 1, target_url: " " })).toBe(
      "event: must be text; target_url: is required",
    );
  });

  it("report every required field that is missing or empty", () => {
    expect(refusal(domain.contactInputSchema, { email: "" })).toBe(
      "project_id: is required; email: is required",
    );
    expect(refusal(domain.subscriberInputSchema, {})).toBe("project_id: is required; email: is required");
    expect(refusal(domain.blogPostInputSchema, { title: [] })).toBe(
      "project_id: is required; title: is required",
    );
    expect(refusal(domain.apiKeyInputSchema, { name: null })).toBe("name: is required");
    expect(refusal(domain.apiKeyInputSchema, { name: "a\r\nBcc: b@example.com" })).toBe(
      "name: must be one line, without control characters",
    );
    expect(refusal(domain.suppressionInputSchema, {})).toBe("reason: is required");
    expect(refusal(domain.publishInputSchema, { data: null })).toBe(
      "event: is required; project_id: is required; data: is required",
    );
    expect(refusal(domain.publishInputSchema, { event: "e", project_id: "p", data: [1] })).toBe(
      "data: must be an object",
    );
  });

  it("of the host may omit all fields", () => {
    for (const schema of [
      domain.accountInputSchema,
      domain.projectInputSchema,
      domain.emailListInputSchema,
      domain.hostSubscriberInputSchema,
    ]) {
      expect(domain.parseInput(schema, {})).toStrictEqual({});
    }
  });

  it("accept a partial plan with limits as numbers or null", () => {
    const plan = { monthly_new_subscribers: null, blog_posts_per_site: 3 };
    expect(domain.parseInput(domain.accountInputSchema, { plan })).toStrictEqual({ plan });
    expect(refusal(domain.accountInputSchema, { plan: { blog_posts_per_site: -1 } })).toBe(
      "plan.blog_posts_per_site: must be at least 0",
    );
    expect(refusal(domain.accountInputSchema, { timezone: "Mars/Olympus", status: "gone" })).toBe(
      "timezone: must be an IANA time zone name, such as Europe/London; status: must be one of active, suspended",
    );
  });

  it("accept tags as a list of texts", () => {
    const body = { project_id: "s", email: "a@b.co" };
    expect(refusal(domain.contactInputSchema, { ...body, tags: "vip" })).toBe("tags: must be a list");
    expect(refusal(domain.contactInputSchema, { ...body, tags: ["a", 1] })).toBe("tags.1: must be text");
    expect(refusal(domain.contactInputSchema, { ...body, tags: Array(101).fill("a") })).toBe(
      "tags: must have at most 100 entries",
    );
  });

  it.each(["javascript:alert(1)", "ftp://example.com/a.png", "//example.com/a.png", "https://", "a.png"])(
    "reject the featured image %s",
    (url) => {
      expect(
        refusal(domain.blogPostInputSchema, { project_id: "s", title: "t", featured_image: url }),
      ).toMatch(/^featured_image: must be an http or https URL/);
    },
  );

  it.each(["https://example.com/a.png", "HTTP://example.com/a.png"])(
    "accept the featured image %s",
    (url) => {
      expect(refusal(domain.blogPostInputSchema, { project_id: "s", title: "t", featured_image: url })).toBe(
        "",
      );
    },
  );

  it("limit every list and text without its own check", () => {
    const references = new Set(["event", "target_url", "project_id", "list_id"]);
    for (const [name, schema] of schemas.filter(([each]) => each.endsWith("InputSchema"))) {
      const { properties = {} } = z.toJSONSchema(schema, { io: "input" });
      const unbounded = Object.entries(properties).filter(
        ([field, property]) =>
          typeof property === "object" &&
          ((property.type === "array" && property.maxItems === undefined) ||
            (property.type === "string" &&
              property.maxLength === undefined &&
              property.format !== "date-time" &&
              property.enum === undefined)) &&
          !references.has(field),
      );
      expect([name, unbounded]).toStrictEqual([name, []]);
    }
  });
});

it("have the same input and output types", () => {
  expectTypeOf<z.input<typeof domain.accountInputSchema>>().toEqualTypeOf<domain.AccountInput>();
  expectTypeOf<z.input<typeof domain.projectInputSchema>>().toEqualTypeOf<domain.ProjectInput>();
  expectTypeOf<z.input<typeof domain.emailListInputSchema>>().toEqualTypeOf<domain.EmailListInput>();
  expectTypeOf<z.input<typeof domain.apiKeyInputSchema>>().toEqualTypeOf<domain.ApiKeyInput>();
  expectTypeOf<z.input<typeof domain.contactInputSchema>>().toEqualTypeOf<domain.ContactInputBody>();
  expectTypeOf<z.input<typeof domain.subscriberInputSchema>>().toEqualTypeOf<domain.SubscriberInputBody>();
  expectTypeOf<
    z.input<typeof domain.hostSubscriberInputSchema>
  >().toEqualTypeOf<domain.HostSubscriberInput>();
  expectTypeOf<z.input<typeof domain.suppressionInputSchema>>().toEqualTypeOf<domain.SuppressionInput>();
  expectTypeOf<z.input<typeof domain.blogPostInputSchema>>().toEqualTypeOf<domain.BlogPostInput>();
  expectTypeOf<z.input<typeof domain.signInSchema>>().toEqualTypeOf<domain.SignInInput>();
});
