import { object } from "./object-fields.ts";
import { nullableText, text } from "./text-fields.ts";

const name = text({ description: "Name.", example: "Ada Lovelace" });
const email = text({ description: "E-mail address as sent by the host.", example: "ada@example.com" });

/** The customer of an order, a booking, a rental or an enquiry. */
export const customer = object(
  {
    name,
    email,
    phone: nullableText({ description: "Phone number, or null.", example: "+44 20 7946 0000" }),
  },
  { description: "The customer.", textField: "name" },
);

/** The customer of a review, without a phone. */
export const reviewer = object({ name, email }, { description: "The customer.", textField: "name" });
