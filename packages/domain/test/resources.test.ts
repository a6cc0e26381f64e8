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
      "id event target_url project_id status consecutive_failures last_success_at last_failure_at created_at",
    ],
    ["contactSchema", "id project_id email name phone notes tags created_at updated_at"],
    ["subscriberSchema", "id email name status tags created_at project_id list_ids"],
    [
      "blogPostSchema",
      "id project_id title content excerpt tags slug meta_title meta_description featured_image status created_at updated_at",
    ],
    ["emailListSchema", "id project_id name created_at"],
    ["eventTypeSchema", "event name description sample"],
    ["apiKeySchema", "id name prefix integration created_at last_used_at revoked_at"],
    [
      "deliverySchema",
      "id webhook_id target_url event record_id body_id project_id kind status attempts_made next_attempt_at created_at completed_at",
    ],
    [
      "attemptSchema",
      "id number started_at duration_ms request status headers excerpt error detail next_attempt_at",
    ],
    ["requestLogEntrySchema", "id method path status error_code key_name duration_ms created_at"],
    ["createdBySchema", "type key_id name"],
    ["deletedSchema", "id deleted"],
  ] as const)("%s has the fields of the contract", (name, fields) => {
    expect(fieldsOf(schemaNamed.get(name) ?? z.never())).toBe(fields);
  });

  it("hold a secret only where it is created or presented", () => {
    const withSecret = schemas.filter(([, schema]) =>
      /signing_secret|api_key|password/.test(fieldsOf(schema)),
    );
    expect(withSecret.map(([name]) => name)).toStrictEqual([
      "accountInputSchema",
      "createdApiKeySchema",
      "signInSchema",
      "createdConsoleWebhookSchema",
      "createdWebhookSchema",
    ]);
  });

  it.each(domain.eventTypes)("of $event has a sample that a schema accepts", (eventType) => {
    expect(domain.eventTypeSchema.parse(eventType)).toStrictEqual(eventType);
  });
});

describe("schemas", () => {
  it.each(schemas)("%s becomes JSON Schema, for what is sent and for what is answered", (_name, schema) => {
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
  it("leave event, URL, site and list to the checks that have codes of their own", () => {
    const long = "x".repeat(5_000);
    expect(refusal(domain.webhookInputSchema, { event: long, target_url: long, project_id: long })).toBe("");
    expect(refusal(domain.subscriberInputSchema, { project_id: "s", email: "a@b.co", list_id: long })).toBe(
      "",
    );
    expect(refusal(domain.webhookInputSchema, { event: 1, target_url: " " })).toBe(
      "event: must be text; target_url: is required",
    );
  });

  it("name every required field that is missing or was sent empty", () => {
    expect(refusal(domain.contactInputSchema, { email: "" })).toBe(
      "project_id: is required; email: is required",
    );
    expect(refusal(domain.subscriberInputSchema, {})).toBe("project_id: is required; email: is required");
    expect(refusal(domain.blogPostInputSchema, { title: [] })).toBe(
      "project_id: is required; title: is required",
    );
    expect(refusal(domain.apiKeyInputSchema, { name: null })).toBe("name: is required");
    expect(refusal(domain.suppressionInputSchema, {})).toBe("reason: is required");
    expect(refusal(domain.publishInputSchema, { data: null })).toBe(
      "event: is required; project_id: is required; data: is required",
    );
    expect(refusal(domain.publishInputSchema, { event: "e", project_id: "p", data: [1] })).toBe(
      "data: must be an object",
    );
  });

  it("of the host may leave out everything", () => {
    for (const schema of [
      domain.accountInputSchema,
      domain.projectInputSchema,
      domain.emailListInputSchema,
      domain.hostSubscriberInputSchema,
    ]) {
      expect(domain.parseInput(schema, {})).toStrictEqual({});
    }
  });

  it("take a plan in part, its limits as numbers or null", () => {
    const plan = { monthly_new_subscribers: null, blog_posts_per_site: 3 };
    expect(domain.parseInput(domain.accountInputSchema, { plan })).toStrictEqual({ plan });
    expect(refusal(domain.accountInputSchema, { plan: { blog_posts_per_site: -1 } })).toBe(
      "plan.blog_posts_per_site: must be at least 0",
    );
    expect(refusal(domain.accountInputSchema, { timezone: "Mars/Olympus", status: "gone" })).toBe(
      "timezone: must be an IANA time zone name, such as Europe/London; status: must be one of active, suspended",
    );
  });

  it("take tags as a list of texts", () => {
    const body = { project_id: "s", email: "a@b.co" };
    expect(refusal(domain.contactInputSchema, { ...body, tags: "vip" })).toBe("tags: must be a list");
    expect(refusal(domain.contactInputSchema, { ...body, tags: ["a", 1] })).toBe("tags.1: must be text");
    expect(refusal(domain.contactInputSchema, { ...body, tags: Array(101).fill("a") })).toBe(
      "tags: must have at most 100 entries",
    );
  });

  it.each(["javascript:alert(1)", "ftp://example.com/a.png", "//example.com/a.png", "https://", "a.png"])(
    "take no featured image at %s",
    (url) => {
      expect(
        refusal(domain.blogPostInputSchema, { project_id: "s", title: "t", featured_image: url }),
      ).toMatch(/^featured_image: must be an http or https URL/);
    },
  );

  it.each(["https://example.com/a.png", "HTTP://example.com/a.png"])("take a featured image at %s", (url) => {
    expect(refusal(domain.blogPostInputSchema, { project_id: "s", title: "t", featured_image: url })).toBe(
      "",
    );
  });

  it("bound every list and every text that has no check of its own", () => {
    const references = new Set(["event", "target_url", "project_id", "list_id"]);
    for (const [name, schema] of schemas.filter(([each]) => each.endsWith("InputSchema"))) {
      const { properties = {} } = z.toJSONSchema(schema, { io: "input" });
      const unbounded = Object.entries(properties).filter(
        ([field, property]) =>
          typeof property === "object" &&
          ((property.type === "array" && property.maxItems === undefined) ||
            (property.type === "string" &&
              property.maxLength === undefined &&
              property.enum === undefined)) &&
          !references.has(field),
      );
      expect([name, unbounded]).toStrictEqual([name, []]);
    }
  });
});

it("a body is typed as what is sent, since no schema of one changes a type", () => {
  expectTypeOf<z.input<typeof domain.accountInputSchema>>().toEqualTypeOf<domain.AccountInput>();
  expectTypeOf<z.input<typeof domain.projectInputSchema>>().toEqualTypeOf<domain.ProjectInput>();
  expectTypeOf<z.input<typeof domain.emailListInputSchema>>().toEqualTypeOf<domain.EmailListInput>();
  expectTypeOf<z.input<typeof domain.apiKeyInputSchema>>().toEqualTypeOf<domain.ApiKeyInput>();
  expectTypeOf<z.input<typeof domain.webhookInputSchema>>().toEqualTypeOf<domain.WebhookInputBody>();
  expectTypeOf<z.input<typeof domain.contactInputSchema>>().toEqualTypeOf<domain.ContactInputBody>();
  expectTypeOf<z.input<typeof domain.subscriberInputSchema>>().toEqualTypeOf<domain.SubscriberInputBody>();
  expectTypeOf<
    z.input<typeof domain.hostSubscriberInputSchema>
  >().toEqualTypeOf<domain.HostSubscriberInput>();
  expectTypeOf<z.input<typeof domain.suppressionInputSchema>>().toEqualTypeOf<domain.SuppressionInput>();
  expectTypeOf<z.input<typeof domain.blogPostInputSchema>>().toEqualTypeOf<domain.BlogPostInput>();
  expectTypeOf<z.input<typeof domain.signInSchema>>().toEqualTypeOf<domain.SignInInput>();
});
