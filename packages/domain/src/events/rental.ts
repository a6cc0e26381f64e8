import type { z } from "zod";
import { customer } from "./customer.ts";
import type { InputOf, OutputOf } from "./field.ts";
import { amount, integer, requiredAmount } from "./amount-fields.ts";
import { object, toObjectSchema } from "./object-fields.ts";
import { currency, nullableText, recordId, text } from "./text-fields.ts";
import { createdAt, localDate, localTime } from "./time-fields.ts";

const handover = {
  date: localDate(),
  time: localTime(),
  location: text({ description: "Location.", example: "Main street shop" }),
} as const;

/** A rental reservation (specification, section 2.10). */
export const rentalFields = {
  id: recordId(),
  reference: text({ description: "Human reference.", example: "R-3001" }),
  item: text({ description: "Name of the rented item.", example: "Cargo bike" }),
  status: text({ description: "`pending`, or another value.", example: "pending" }),
  customer,
  pickup: object(handover, {
    description: "Time and place of the pick-up, in the site's local time.",
    textField: "date",
  }),
  return: object(handover, {
    description: "Time and place of the return, in the site's local time.",
    textField: "date",
  }),
  days: integer({
    description: "Number of days.",
    example: 3,
    whenMissing: 0,
    round: Math.ceil,
  }),
  total: requiredAmount({ description: "Price.", example: 75 }),
  deposit: amount({ description: "Deposit.", example: 100 }),
  currency: currency(),
  payment_status: text({ description: "`unpaid`, or another value.", example: "unpaid" }),
  notes: nullableText({
    description: "The customer's notes, or null.",
    example: "With a child seat, please.",
  }),
  created_at: createdAt(),
} as const;

export const rentalSchema: z.ZodType<Rental> = toObjectSchema(rentalFields).meta({
  description: "A rental reservation.",
});

export interface Rental extends OutputOf<typeof rentalFields> {}

/** A rental reservation as a host publishes it. */
export interface RentalInput extends InputOf<typeof rentalFields> {}

export const sampleRental: Rental = {
  id: "rnt_3001",
  reference: "R-3001",
  item: "Cargo bike",
  status: "pending",
  customer: { name: "Ada Lovelace", email: "ada@example.com", phone: null },
  pickup: { date: "2026-12-04", time: "09:00", location: "Main street shop" },
  return: { date: "2026-12-07", time: "18:00", location: "Main street shop" },
  days: 3,
  total: 75,
  deposit: 100,
  currency: "EUR",
  payment_status: "unpaid",
  notes: null,
  created_at: "2026-11-20T09:30:00Z",
};
