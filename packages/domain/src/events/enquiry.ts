import { z } from "zod";
import { recordIdSchema } from "../ids.ts";
import { openChoice, text } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import { customerSchema } from "./customer.ts";

/** A property enquiry (specification, section 2.12). */
export const enquirySchema = z
  .object({
    id: recordIdSchema,
    type: openChoice({ description: "`viewing`; the set is open.", example: "viewing" }),
    status: openChoice({ description: "`new`; the set is open.", example: "new" }),
    customer: customerSchema,
    message: text({
      max: 50_000,
      description: "What the visitor wrote.",
      example: "Could I see it on Friday?",
    }),
    listing: z
      .object({
        id: text({ max: 128, blank: false, description: "Id of the listing.", example: "lis_77" }),
        title: text({ max: 500, description: "Title of the listing.", example: "Two rooms by the canal" }),
      })
      .meta({ description: "The property that is asked about." }),
    created_at: timestampSchema,
  })
  .meta({ description: "A property enquiry." });

export type Enquiry = z.output<typeof enquirySchema>;

export const sampleEnquiry: Enquiry = {
  id: "enq_5001",
  type: "viewing",
  status: "new",
  customer: { name: "Ada Lovelace", email: "ada@example.com", phone: "+44 20 7946 0000" },
  message: "Could I see it on Friday?",
  listing: { id: "lis_77", title: "Two rooms by the canal" },
  created_at: "2026-11-20T09:30:00Z",
};
