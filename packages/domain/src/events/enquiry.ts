import type { z } from "zod";
import { customer } from "./customer.ts";
import type { InputOf, OutputOf } from "./field.ts";
import { object, toObjectSchema } from "./object-fields.ts";
import { recordId, text } from "./text-fields.ts";
import { createdAt } from "./time-fields.ts";

/** A property enquiry (specification, section 2.12). */
export const enquiryFields = {
  id: recordId(),
  type: text({ description: "`viewing`, or another value.", example: "viewing" }),
  status: text({ description: "`new`, or another value.", example: "new" }),
  customer,
  message: text({ description: "The message of the visitor.", example: "Could I see it on Friday?" }),
  listing: object(
    {
      id: text({ description: "Id of the listing.", example: "lis_77" }),
      title: text({ description: "Title of the listing.", example: "Two rooms by the canal" }),
    },
    { description: "The property of the enquiry.", textField: "title" },
  ),
  created_at: createdAt(),
} as const;

export const enquirySchema: z.ZodType<Enquiry> = toObjectSchema(enquiryFields).meta({
  description: "A property enquiry.",
});

export interface Enquiry extends OutputOf<typeof enquiryFields> {}

/** A property enquiry as a host publishes it. */
export interface EnquiryInput extends InputOf<typeof enquiryFields> {}

export const sampleEnquiry: Enquiry = {
  id: "enq_5001",
  type: "viewing",
  status: "new",
  customer: { name: "Ada Lovelace", email: "ada@example.com", phone: "+44 20 7946 0000" },
  message: "Could I see it on Friday?",
  listing: { id: "lis_77", title: "Two rooms by the canal" },
  created_at: "2026-11-20T09:30:00Z",
};
