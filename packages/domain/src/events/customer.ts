import { z } from "zod";
import { recordEmailSchema } from "../email-address.ts";
import { nullablePhone, personName } from "./fields.ts";

/** Whom an order, a booking, a rental or an enquiry is from. */
export const customerSchema = z
  .object({ name: personName, email: recordEmailSchema, phone: nullablePhone })
  .meta({ description: "The customer." });

export type Customer = z.output<typeof customerSchema>;
