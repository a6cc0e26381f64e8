import { z } from "zod";
import { recordIdSchema } from "../ids.ts";
import { currencySchema } from "../money.ts";
import { openChoice, text } from "../text.ts";
import { localDateSchema, localTimeSchema, timestampSchema } from "../timestamps.ts";
import { customerSchema } from "./customer.ts";
import { amount, nullableText } from "./fields.ts";

/** A booking (specification, section 2.9). */
export const bookingSchema = z
  .object({
    id: recordIdSchema,
    service: text({ max: 500, description: "Name of the booked service.", example: "Cake tasting" }),
    date: localDateSchema,
    time: localTimeSchema,
    status: openChoice({ description: "`confirmed`; the set is open.", example: "confirmed" }),
    customer: customerSchema,
    amount_due: amount("What is still to be paid.", 35),
    currency: currencySchema,
    payment_status: openChoice({ description: "`unpaid`; the set is open.", example: "unpaid" }),
    address: nullableText(2_000, "Where it takes place, or null.", "12 Byron Lane, London"),
    notes: nullableText(20_000, "The customer's notes, or null.", "Two of us are coming."),
    created_at: timestampSchema,
  })
  .meta({ description: "A booking." });

export type Booking = z.output<typeof bookingSchema>;

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
