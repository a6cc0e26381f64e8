import { z } from "zod";
import { recordIdSchema } from "../ids.ts";
import { currencySchema } from "../money.ts";
import { openChoice, text } from "../text.ts";
import { localDateSchema, localTimeSchema, timestampSchema } from "../timestamps.ts";
import { customerSchema } from "./customer.ts";
import { amount, nullableText } from "./fields.ts";

const handover = (description: string) =>
  z
    .object({
      date: localDateSchema,
      time: localTimeSchema,
      location: text({ max: 500, description: "Where.", example: "Main street shop" }),
    })
    .meta({ description });

/** A rental reservation (specification, section 2.10). */
export const rentalSchema = z
  .object({
    id: recordIdSchema,
    reference: text({ max: 128, blank: false, description: "Human reference.", example: "R-3001" }),
    item: text({ max: 500, description: "Name of the rented item.", example: "Cargo bike" }),
    status: openChoice({ description: "`pending`; the set is open.", example: "pending" }),
    customer: customerSchema,
    pickup: handover("When and where it is picked up, in the site's local time."),
    return: handover("When and where it is brought back, in the site's local time."),
    days: z.int().meta({ description: "For how many days.", example: 3 }),
    total: amount("Price.", 75),
    deposit: amount("Deposit.", 100),
    currency: currencySchema,
    payment_status: openChoice({ description: "`unpaid`; the set is open.", example: "unpaid" }),
    notes: nullableText(20_000, "The customer's notes, or null.", "With a child seat, please."),
    created_at: timestampSchema,
  })
  .meta({ description: "A rental reservation." });

export type Rental = z.output<typeof rentalSchema>;

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
