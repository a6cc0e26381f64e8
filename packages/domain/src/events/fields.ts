import { z } from "zod";
import { isSentEmpty } from "../sent-empty.ts";
import { text } from "../text.ts";

export const personName = text({ max: 200, description: "Name.", example: "Ada Lovelace" });

/** What is sent empty counts as left out (specification, section 2.1), and so means null. */
const emptyIsNull = z.overwrite((sent: string | null) => (isSentEmpty(sent) ? null : sent));

export const nullablePhone = text({ max: 64, description: "Phone number.", example: "+44 20 7946 0000" })
  .nullable()
  .check(emptyIsNull)
  .default(null)
  .meta({ description: "Phone number, or null.", example: "+44 20 7946 0000" });

/** Text that the tables of the specification mark "or null": left out means null. */
export function nullableText(max: number, description: string, example: string) {
  return text({ max, description, example })
    .nullable()
    .check(emptyIsNull)
    .default(null)
    .meta({ description, example });
}

/** An amount that the tables mark "or null". */
export function nullableMoney(description: string, example: number) {
  return z.number().nullable().default(null).meta({ description, example });
}

export function amount(description: string, example: number) {
  return z.number().meta({ description, example });
}
