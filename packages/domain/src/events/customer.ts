import { object } from "./object-fields.ts";
import { nullableText, text } from "./text-fields.ts";

const name = text({ description: "Name.", example: "Ada Lovelace" });
const email = text({ description: "E-mail address, as the host wrote it.", example: "ada@example.com" });

/** Whom an order, a booking, a rental or an enquiry is from. */
export const customer = object(
  {
    name,
    email,
    phone: nullableText({ description: "Phone number, or null.", example: "+44 20 7946 0000" }),
  },
  { description: "The customer.", textField: "name" },
);

/** Whom a review is from: without a phone. */
export const reviewer = object({ name, email }, { description: "The customer.", textField: "name" });
