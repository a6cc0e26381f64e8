import { z } from "zod";
import { currencySchema } from "../money.ts";
import { recordIdSchema } from "../ids.ts";
import { openChoice, text } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";
import { customerSchema } from "./customer.ts";
import { amount, nullableMoney, nullableText } from "./fields.ts";
import { mostItems } from "./money-fields.ts";

const addressLine = (description: string, example: string) => text({ max: 500, description, example });

const itemSchema = z.object({
  name: text({ max: 500, description: "Name of the product.", example: "Sourdough loaf" }),
  sku: nullableText(200, "Stock keeping unit, or null.", "LOAF-1"),
  quantity: z.int().meta({ description: "How many.", example: 2 }),
  price: amount("Price of one.", 4.5),
  total: amount("Price of the line.", 9),
});

/** An order (specification, section 2.8): read from the API exactly as the order webhooks send it. */
export const orderSchema = z
  .object({
    id: recordIdSchema,
    number: text({ max: 128, blank: false, description: "Human order number.", example: "1001" }),
    status: openChoice({ description: "`pending`, `paid`; the set is open.", example: "pending" }),
    type: openChoice({ description: "A kind of order; the set is open.", example: "shipping" }),
    customer: customerSchema,
    currency: currencySchema,
    subtotal: amount("Sum of the lines.", 21),
    shipping: amount("Price of shipping.", 4.9),
    tip: nullableMoney("Tip, or null.", 2),
    discount: nullableMoney("Discount, or null.", 3),
    tax: amount("Tax.", 1.37),
    total: amount("What the customer pays.", 26.27),
    payment_method: openChoice({ description: "How it is paid; the set is open.", example: "card" }),
    shipping_method: text({ max: 200, description: "How it is sent.", example: "Standard delivery" }),
    shipping_address: z
      .object({
        line1: addressLine("Street and number.", "12 Byron Lane"),
        city: addressLine("Town.", "London"),
        postcode: addressLine("Postcode.", "SW1A 1AA"),
        country: addressLine("Country.", "GB"),
      })
      .meta({ description: "Where it is sent." }),
    coupon_code: nullableText(200, "Coupon, or null.", "SPRING"),
    note: nullableText(20_000, "The customer's note, or null.", "Please ring twice."),
    scheduled_for: nullableText(64, "When it is wanted, or null.", "2026-11-28T10:00:00Z"),
    items: z.array(itemSchema).min(1).max(mostItems).meta({ description: "The lines of the order." }),
    created_at: timestampSchema,
  })
  .meta({ description: "An order." });

export type Order = z.output<typeof orderSchema>;

export const sampleOrder: Order = {
  id: "ord_1001",
  number: "1001",
  status: "pending",
  type: "shipping",
  customer: { name: "Ada Lovelace", email: "ada@example.com", phone: "+44 20 7946 0000" },
  currency: "EUR",
  subtotal: 21,
  shipping: 4.9,
  tip: 2,
  discount: 3,
  tax: 1.37,
  total: 26.27,
  payment_method: "card",
  shipping_method: "Standard delivery",
  shipping_address: { line1: "12 Byron Lane", city: "London", postcode: "SW1A 1AA", country: "GB" },
  coupon_code: "SPRING",
  note: null,
  scheduled_for: null,
  items: [
    { name: "Sourdough loaf", sku: "LOAF-1", quantity: 2, price: 4.5, total: 9 },
    { name: "Almond cake", sku: null, quantity: 1, price: 12, total: 12 },
  ],
  created_at: "2026-11-20T09:30:00Z",
};
