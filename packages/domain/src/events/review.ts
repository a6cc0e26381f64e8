import type { z } from "zod";
import { reviewer } from "./customer.ts";
import type { InputOf, OutputOf } from "./field.ts";
import { integer } from "./amount-fields.ts";
import { object, toObjectSchema } from "./object-fields.ts";
import { recordId, text, truth } from "./text-fields.ts";
import { createdAt } from "./time-fields.ts";

/** A product review (specification, section 2.13). */
export const reviewFields = {
  id: recordId(),
  rating: integer({
    description: "The rating. The site defines the scale.",
    example: 5,
    whenMissing: 0,
    round: Math.round,
  }),
  title: text({ description: "Title.", example: "Worth the walk" }),
  content: text({ description: "The text of the customer.", example: "The crust is perfect." }),
  status: text({ description: "`pending`, or another value.", example: "pending" }),
  verified_purchase: truth({ description: "Whether the customer bought the product.", example: true }),
  customer: reviewer,
  product: object(
    {
      id: text({ description: "Id of the product.", example: "prd_9" }),
      name: text({ description: "Name of the product.", example: "Sourdough loaf" }),
    },
    { description: "The reviewed product.", textField: "name" },
  ),
  created_at: createdAt(),
} as const;

export const reviewSchema: z.ZodType<Review> = toObjectSchema(reviewFields).meta({
  description: "A product review.",
});

export interface Review extends OutputOf<typeof reviewFields> {}

/** A product review as a host publishes it. */
export interface ReviewInput extends InputOf<typeof reviewFields> {}

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
