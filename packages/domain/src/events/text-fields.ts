import { z } from "zod";
import { normaliseEmail } from "../email-address.ts";
import { isRecordId, recordIdSchema } from "../ids.ts";
import { isSentEmpty } from "../sent-empty.ts";
import { tidyTags } from "../tags.ts";
import { adjust, refuse } from "./field.ts";
import type { Described, Field } from "./field.ts";
import { readText, toEntries } from "./plain-value.ts";
import type { TextInput } from "./plain-value.ts";

// Hosts state what has happened, so their facts are read leniently (contract §7). Only these are refused: an id or a total that is
// missing, an amount that is none, a quantity that is not an integer, an object where text is expected, and a number that has lost digits.

/** The id of the record. */
export function recordId(): Field<string, TextInput, true> {
  return {
    schema: recordIdSchema,
    type: "text",
    required: true,
    whenMissing: "",
    read(value, path, reading) {
      const before = reading.problems.length;
      const id = readText(value, path, reading);
      if (id === undefined)
        return reading.problems.length > before ? "" : refuse(reading, path, "is required", "");
      if (isRecordId(id)) return id;
      return refuse(reading, path, "must be 1 to 128 printable characters without white space", "");
    },
  };
}

/** Text that is `""` where the host has none. */
export function text({ description, example }: Described<string>): Field<string, TextInput, false> {
  return {
    schema: z.string().meta({ description, example }),
    type: "text",
    required: false,
    whenMissing: '`""`',
    read(value, path, reading) {
      const read = readText(value, path, reading);
      if (read !== undefined) return read;
      if (value !== "") adjust(reading, path);
      return "";
    },
  };
}

/** Text that the tables mark "or null". */
export function nullableText({
  description,
  example,
}: Described<string | null>): Field<string | null, TextInput, false> {
  return {
    schema: z.string().nullable().meta({ description, example }),
    type: "text or null",
    required: false,
    whenMissing: "`null`",
    read(value, path, reading) {
      const read = readText(value, path, reading);
      if (read !== undefined) return read;
      if (value !== null) adjust(reading, path);
      return null;
    },
  };
}

/** Text that is changed to a usual form where it has another. */
function formattedText(
  { description, example }: Described<string>,
  { type, format }: { readonly type: string; readonly format: (text: string) => string },
): Field<string, TextInput, false> {
  const plain = text({ description, example });
  return {
    ...plain,
    type,
    read(value, path, reading, siblings) {
      const read = plain.read(value, path, reading, siblings);
      const formatted = format(read);
      if (formatted !== read) adjust(reading, path);
      return formatted;
    },
  };
}

/** A currency code, in capitals. The set is open: shops also take points and coins. */
export function currency(): Field<string, TextInput, false> {
  const described = { description: "Currency code, ISO 4217 in style.", example: "EUR" };
  return formattedText(described, { type: "text, in capitals", format: (code) => code.trim().toUpperCase() });
}

/** The address by which a subscriber is known. */
export function subscriberEmail(): Field<string, TextInput, false> {
  const described = { description: "E-mail address, in lower case.", example: "ada@example.com" };
  return formattedText(described, { type: "text, trimmed and in lower case", format: normaliseEmail });
}

const truths: ReadonlySet<unknown> = new Set(["true", "1", "yes", 1]);

/** False where the host sends nothing, or nothing that means yes. */
export function truth({
  description,
  example,
}: Described<boolean>): Field<boolean, boolean | string | number, false> {
  return {
    schema: z.boolean().meta({ description, example }),
    type: "true or false",
    required: false,
    whenMissing: "`false`",
    read(value, path, reading) {
      if (typeof value === "boolean") return value;
      adjust(reading, path);
      return truths.has(typeof value === "string" ? value.trim().toLowerCase() : value);
    },
  };
}

/** More entries than these are longer than a record may be. */
const maximumTags = 65_536;

/** Tags: a list, or one text with commas. */
export function tags(): Field<string[], readonly TextInput[] | string, false> {
  return {
    schema: z.array(z.string()).meta({ description: "Tags.", example: ["newsletter"] }),
    type: "list of text",
    required: false,
    whenMissing: "`[]`",
    read(value, path, reading) {
      if (isSentEmpty(value)) {
        if (!Array.isArray(value)) adjust(reading, path);
        return [];
      }
      const sent = typeof value === "string" ? value.split(",") : toEntries(value);
      if (sent.length > maximumTags)
        return refuse(reading, path, `must have at most ${maximumTags} entries`, []);
      reading.characters += sent.length;
      const read = tidyTags(sent.map((tag, index) => readText(tag, `${path}.${index}`, reading) ?? ""));
      if (read.length !== sent.length || read.some((tag, index) => tag !== sent[index]))
        adjust(reading, path);
      return read;
    },
  };
}
