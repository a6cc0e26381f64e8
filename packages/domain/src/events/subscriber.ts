import { z } from "zod";
import { emailSchema } from "../email-address.ts";
import { recordIdSchema } from "../ids.ts";
import { isSentEmpty } from "../sent-empty.ts";
import { tidyTags } from "../tags.ts";
import { openChoice, text } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";

/**
 * Somebody who joined an email list (specification, section 2.11). The table knows no null here, yet people join
 * without a name or tags: left out, or sent empty, `name` is `""` and `tags` is `[]`.
 */
export const subscriberRecordSchema = z
  .object({
    id: recordIdSchema,
    email: emailSchema,
    name: text({ max: 200, description: "Name.", example: "Ada Lovelace" })
      .overwrite((name) => (isSentEmpty(name) ? "" : name))
      .default("")
      .meta({ description: "Name; empty when none was given.", example: "Ada Lovelace" }),
    status: openChoice({ description: "`active`; the set is open.", example: "active" }),
    tags: z
      .array(text({ max: 100, description: "A tag.", example: "newsletter" }))
      .max(1_000)
      .overwrite(tidyTags)
      .default([])
      .meta({ description: "Tags.", example: ["newsletter"] }),
    created_at: timestampSchema,
  })
  .meta({ description: "Somebody who joined an email list." });

export type SubscriberRecord = z.output<typeof subscriberRecordSchema>;

export const sampleSubscriber: SubscriberRecord = {
  id: "sub_4001",
  email: "ada@example.com",
  name: "Ada Lovelace",
  status: "active",
  tags: ["newsletter"],
  created_at: "2026-11-20T09:30:00Z",
};
