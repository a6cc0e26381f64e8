import type { InputOf, OutputOf } from "./field.ts";
import { toObjectSchema } from "./object-fields.ts";
import { recordId, subscriberEmail, tags, text } from "./text-fields.ts";
import { createdAt } from "./time-fields.ts";

/** A person who joined an email list (specification, section 2.11). */
export const subscriberFields = {
  id: recordId(),
  email: subscriberEmail(),
  name: text({ description: "Name. Empty if none was given.", example: "Ada Lovelace" }),
  status: text({ description: "`active`, or another value.", example: "active" }),
  tags: tags(),
  created_at: createdAt(),
} as const;

export const subscriberRecordSchema = toObjectSchema(subscriberFields).meta({
  description: "A person who joined an email list.",
});

export interface SubscriberRecord extends OutputOf<typeof subscriberFields> {}

/** A person who joined an email list, as a host publishes it. */
export interface SubscriberRecordInput extends InputOf<typeof subscriberFields> {}

export const sampleSubscriber: SubscriberRecord = {
  id: "sub_4001",
  email: "ada@example.com",
  name: "Ada Lovelace",
  status: "active",
  tags: ["newsletter"],
  created_at: "2026-11-20T09:30:00Z",
};
