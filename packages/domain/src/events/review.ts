import { z } from "zod";
import { recordEmailSchema } from "../email-address.ts";
import { recordIdSchema } from "../ids.ts";
import { openChoice, text } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import { personName } from "./fields.ts";

/** A product review (specification, section 2.13). Its customer has no phone. */
export const reviewSchema = z
  .object({
    id: recordIdSchema,
    rating: z.int().meta({ description: "The rating; the scale is the site's.", example: 5 }),
    title: text({ max: 500, description: "Title.", example: "Worth the walk" }),
    content: text({
      max: 100_000,
      description: "What the customer wrote.",
      example: "The crust is perfect.",
    }),
    status: openChoice({ description: "`pending`; the set is open.", example: "pending" }),
    verified_purchase: z
      .boolean()
      .meta({ description: "Whether the customer bought the product.", example: true }),
    customer: z.object({ name: personName, email: recordEmailSchema }).meta({ description: "The customer." }),
    product: z
      .object({
        id: text({ max: 128, blank: false, description: "Id of the product.", example: "prd_9" }),
        name: text({ max: 500, description: "Name of the product.", example: "Sourdough loaf" }),
      })
      .meta({ description: "The product that is reviewed." }),
    created_at: timestampSchema,
  })
  .meta({ description: "A product review." });

export type Review = z.output<typeof reviewSchema>;

export const sampleReview: Review = {
  id: "rev_6001",
  rating: 5,
  title: "Worth the walk",
  content: "The crust is perfect.",
  status: "pending",
  verified_purchase: true,
  customer: { name: "Ada Lovelace", email: "ada@example.com" },
  product: { id: "prd_9", name: "Sourdough loaf" },
  created_at: "2026-11-20T09:30:00Z",
};
