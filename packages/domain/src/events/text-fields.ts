import { z } from "zod";
import { normaliseEmail } from "../email-address.ts";
import { isRecordId, recordIdSchema } from "../ids.ts";
import { isSentEmpty } from "../sent-empty.ts";
import { tidyTags } from "../tags.ts";
import { adjust, refuse } from "./field.ts";
import type { Described, Field } from "./field.ts";
import { readText, toEntries } from "./plain-value.ts";
import type { TextInput } from "./plain-value.ts";

// Reading is lenient (contract: Records). Only these are rejected: a missing id or total, an invalid amount, a
// quantity that is not an integer, an object in place of text, and a number that has lost digits.

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

/** Text that is `""` if the host sends none. */
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

/** Text that is marked "or null" in the specification. */
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

/** Text that is converted to a standard format. */
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

/** A currency code in capitals. Any code is accepted, because shops also use points and coins. */
export function currency(): Field<string, TextInput, false> {
  const described = { description: "Currency code, ISO 4217 in style.", example: "EUR" };
  return formattedText(described, { type: "text, in capitals", format: (code) => code.trim().toUpperCase() });
}

/** The address that identifies a subscriber. */
export function subscriberEmail(): Field<string, TextInput, false> {
  const described = { description: "E-mail address, in lower case.", example: "ada@example.com" };
  return formattedText(described, { type: "text, trimmed and in lower case", format: normaliseEmail });
}

const truths: ReadonlySet<unknown> = new Set(["true", "1", "yes", 1]);

/** A boolean. False if the host sends nothing or no affirmative value. */
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

/** More entries exceed the size of a record. */
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
