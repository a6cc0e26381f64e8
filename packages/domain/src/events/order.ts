import type { z } from "zod";
import { customer } from "./customer.ts";
import type { InputOf, OutputOf, Siblings } from "./field.ts";
import { amount, amountOf, integer, nullableAmount, requiredAmount } from "./amount-fields.ts";
import { list, object, toObjectSchema } from "./object-fields.ts";
import { currency, nullableText, recordId, text } from "./text-fields.ts";
import { createdAt } from "./time-fields.ts";

const items = list(
  {
    name: text({ description: "Name of the product.", example: "Sourdough loaf" }),
    sku: nullableText({ description: "Stock keeping unit, or null.", example: "LOAF-1" }),
    quantity: integer({
      description: "Quantity.",
      example: 2,
      whenMissing: 1,
      advice: "for goods by weight send 1, and put the weight into the name, such as `Apples, 1.5 kg`",
    }),
    price: amount({
      description: "Unit price.",
      example: 4.5,
      whenMissing: "`total` divided by `quantity`",
      derive: priceOfOne,
    }),
    total: amount({
      description: "Price of the line.",
      example: 9,
      whenMissing: "`price` times `quantity`",
      derive: priceOfLine,
    }),
  },
  { description: "The lines of the order.", textField: "name" },
);

function priceOfOne(item: Siblings): number | undefined {
  const total = amountOf(item, "total");
  const quantity = amountOf(item, "quantity") ?? 1;
  return total === undefined || quantity === 0 ? undefined : total / quantity;
}

function priceOfLine(item: Siblings): number | undefined {
  const price = amountOf(item, "price");
  return price === undefined ? undefined : price * (amountOf(item, "quantity") ?? 1);
}

/** An order (specification, section 2.8). The API and the order webhooks return the same fields. */
export const orderFields = {
  id: recordId(),
  number: text({ description: "Human order number.", example: "1001" }),
  status: text({ description: "`pending`, `paid`, or another value.", example: "pending" }),
  type: text({ description: "The kind of the order. Any value is possible.", example: "shipping" }),
  customer,
  currency: currency(),
  subtotal: amount({
    description: "Sum of the lines.",
    example: 21,
    whenMissing: "`total`",
    derive: (order) => amountOf(order, "total"),
  }),
  shipping: amount({ description: "Price of shipping.", example: 4.9 }),
  tip: nullableAmount({ description: "Tip, or null.", example: 2 }),
  discount: nullableAmount({ description: "Discount, or null.", example: 3 }),
  tax: amount({ description: "Tax.", example: 1.37 }),
  total: requiredAmount({ description: "What the customer pays.", example: 26.27 }),
  payment_method: text({ description: "The payment method. Any value is possible.", example: "card" }),
  shipping_method: text({ description: "The shipping method.", example: "Standard delivery" }),
  shipping_address: object(
    {
      line1: text({ description: "Street and number.", example: "12 Byron Lane" }),
      city: text({ description: "Town.", example: "London" }),
      postcode: text({ description: "Postcode.", example: "SW1A 1AA" }),
      country: text({ description: "Country.", example: "GB" }),
    },
    { description: "The shipping address.", textField: "line1" },
  ),
  coupon_code: nullableText({ description: "Coupon, or null.", example: "SPRING" }),
  note: nullableText({ description: "The customer's note, or null.", example: "Please ring twice." }),
  scheduled_for: nullableText({
    description: "The requested time, or null.",
    example: "2026-11-28T10:00:00Z",
  }),
  items,
  created_at: createdAt(),
} as const;

export const orderSchema: z.ZodType<Order> = toObjectSchema(orderFields).meta({ description: "An order." });

export interface Order extends OutputOf<typeof orderFields> {}

/** An order as a host publishes it or stores it in its own database. */
export interface OrderInput extends InputOf<typeof orderFields> {}

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
