import { z } from "zod";
import { keyRights } from "../rights.ts";
import { text } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import { projectReference, timeOrNull } from "./fields.ts";

const nameOptions = {
  max: 200,
  blank: false,
  description: "A name that identifies the key.",
  example: "Zapier",
};
const integration = z.boolean().meta({
  description:
    "Whether the key belongs to the integration of an automation platform. The secrets of its webhooks cannot be rotated.",
  example: false,
});

const rights = z
  .array(z.enum(keyRights, `must be one of ${keyRights.join(", ")}`))
  .max(10)
  .meta({
    description:
      "What the key may do. `read`: everything but changes. `webhooks`: create, read, test and remove its own webhooks, send again, listen. `write`: contacts, subscribers and drafts of blog posts; the response to a contact has all that is stored of it. Left out or empty when it is created: all three.",
    example: ["read"],
  });

export const apiKeySchema = z
  .object({
    id: text({ max: 128, description: "Id of the key.", example: "key_019a9c3f5b2e7c41a0f39d1e6b7c8d21" }),
    name: text(nameOptions),
    prefix: text({ max: 16, description: "The first eight characters of the key.", example: "hwk_4fGa" }),
    integration,
    rights,
    project_id: z
      .string()
      .nullable()
      .meta({ description: "The only site whose data the key reaches. Null: all sites.", example: "site_1" }),
    expires_at: timeOrNull("When the key stops working. Null: never."),
    created_at: timestampSchema,
    last_used_at: timeOrNull("When the key was last used."),
    revoked_at: timeOrNull("When the key was revoked."),
    webhooks_count: z
      .int()
      .min(0)
      .meta({ description: "Webhooks that the key created and that still exist.", example: 1 }),
  })
  .meta({ description: "An API key. The key itself is only returned when it is created." });
export type ApiKey = z.output<typeof apiKeySchema>;

/** The response to the creation of a key, the only one that contains the key. */
export const createdApiKeySchema = apiKeySchema
  .extend({
    api_key: text({
      max: 200,
      description: "The key. It is only returned in this response.",
      example: "<API_KEY>",
    }),
  })
  .meta({ description: "The new key, including the key itself." });
export type CreatedApiKey = z.output<typeof createdApiKeySchema>;

/** `POST /host/v1/accounts/{id}/api-keys` and `POST /console/api/keys`. */
export const apiKeyInputSchema = z
  .object({
    // It is part of messages. Older keys may have other names.
    name: text({ ...nameOptions, line: true }),
    integration: integration.optional(),
    rights: rights.optional(),
    project_id: projectReference
      .optional()
      .meta({ description: "The only site whose data the key reaches. Left out: all sites." }),
    expires_at: timestampSchema
      .optional()
      .meta({ description: "When the key stops working, at most ten years from now. Left out: never." }),
  })
  .meta({ description: "The key to create." });
export type ApiKeyInput = z.output<typeof apiKeyInputSchema>;
