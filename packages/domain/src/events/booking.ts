import type { z } from "zod";
import { customer } from "./customer.ts";
import type { InputOf, OutputOf } from "./field.ts";
import { requiredAmount } from "./amount-fields.ts";
import { toObjectSchema } from "./object-fields.ts";
import { currency, nullableText, recordId, text } from "./text-fields.ts";
import { createdAt, localDate, localTime } from "./time-fields.ts";

/** A booking (specification, section 2.9). */
export const bookingFields = {
  id: recordId(),
  service: text({ description: "Name of the booked service.", example: "Cake tasting" }),
  date: localDate(),
  time: localTime(),
  status: text({ description: "`confirmed`, or another value.", example: "confirmed" }),
  customer,
  amount_due: requiredAmount({ description: "The outstanding amount.", example: 35 }),
  currency: currency(),
  payment_status: text({ description: "`unpaid`, or another value.", example: "unpaid" }),
  address: nullableText({ description: "The address, or null.", example: "12 Byron Lane, London" }),
  notes: nullableText({ description: "The customer's notes, or null.", example: "Two of us are coming." }),
  created_at: createdAt(),
} as const;

export const bookingSchema: z.ZodType<Booking> = toObjectSchema(bookingFields).meta({
  description: "A booking.",
});

export interface Booking extends OutputOf<typeof bookingFields> {}

/** A booking as a host publishes it. */
export interface BookingInput extends InputOf<typeof bookingFields> {}

export const sampleBooking: Booking = {
  id: "bkg_2001",
  service: "Cake tasting",
  date: "2026-11-28",
  time: "14:30",
  status: "confirmed",
  customer: { name: "Ada Lovelace", email: "ada@example.com", phone: "+44 20 7946 0000" },
  amount_due: 35,
  currency: "EUR",
  payment_status: "unpaid",
  address: null,
  notes: "Two of us are coming.",
  created_at: "2026-11-20T09:30:00Z",
};
