import { z } from "zod";
import { normaliseEmail } from "../email-address.ts";
import { isRecordId, recordIdSchema } from "../ids.ts";
import { parseAmount, roundAmount } from "../money.ts";
import { readHostTime } from "../read-time.ts";
import { isSentEmpty } from "../sent-empty.ts";
import { tidyTags } from "../tags.ts";
import { toWallTime } from "../time-zone.ts";
import { readWireForm, timestampSchema, toTimestamp } from "../timestamps.ts";
import { adjust, refuse } from "./field.ts";
import type { Field, Fields, InputOf, OutputOf, Reading, Siblings } from "./field.ts";

// Hosts state what has happened, so their facts are read leniently (contract §7). Only these are refused: an id or a total that is
// missing, an amount that is none, a quantity that is not an integer, an object where text is expected, and a number that has lost digits.

/** Text, or a number that is read as its text. */
export type TextInput = string | number | bigint;
/** A number, its decimal text, or an object of a decimal library such as decimal.js. */
export type AmountInput = number | string | bigint | { toNumber(): number; toJSON(): string | number };
/** ISO 8601, epoch seconds or milliseconds, or a `Date`. Without a zone it is in the site's time. */
export type TimeInput = string | number | Date;

interface Described<Example> {
  readonly description: string;
  readonly example: Example;
}

/** What an object of a library stands for in JSON, such as a `Date` or a decimal. */
export function toPlain(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("toJSON" in value)) return value;
  return typeof value.toJSON === "function" ? value.toJSON() : value;
}

/** Undefined where it is sent empty, or a problem was noted. */
function readText(value: unknown, path: string, reading: Reading): string | undefined {
  const plain = typeof value === "string" ? value : toPlain(value);
  if (isSentEmpty(plain)) return undefined;
  if (typeof plain === "string") {
    reading.characters += plain.length;
    if (plain.isWellFormed()) {
      if (plain !== value) adjust(reading, path);
      return plain;
    }
    adjust(reading, path);
    return plain.toWellFormed();
  }
  adjust(reading, path);
  if (typeof plain === "bigint" || typeof plain === "boolean") {
    const text = String(plain);
    reading.characters += text.length;
    return text;
  }
  if (typeof plain !== "number" || !Number.isFinite(plain))
    return refuse(reading, path, "must be text", undefined);
  if (Number.isInteger(plain) && !Number.isSafeInteger(plain))
    return refuse(
      reading,
      path,
      "must be sent as text, because a number this large has lost digits",
      undefined,
    );
  const text = String(plain + 0);
  reading.characters += text.length;
  return text;
}

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

/** Longer texts are neither a day nor a time. */
const longestTime = 64;

/** What the clocks of the site show, where a text is a date and time with a zone. */
function toWallText(text: string, reading: Reading): string | undefined {
  const time = /[T ].*(?:Z|[+-]\d\d:?\d\d)(?:\[|$)/iu.test(text)
    ? readHostTime(text, reading.timeZone)
    : undefined;
  if (time === undefined) return undefined;
  reading.isLocalTime = true;
  return new Date(toWallTime(time.ms, reading.timeZone)).toISOString();
}

/** A day or a time that somebody picked. A form that is not known stays as it was sent. */
function localText(
  described: Described<string>,
  { type, format }: { readonly type: string; readonly format: (text: string) => string | undefined },
): Field<string, TextInput, false> {
  const plain = text(described);
  return {
    ...plain,
    type,
    read(value, path, reading, siblings) {
      const read = plain.read(value, path, reading, siblings);
      const trimmed = read.trim();
      if (trimmed === "" || trimmed.length > longestTime) return read;
      const formatted = format(toWallText(trimmed, reading) ?? trimmed) ?? read;
      if (formatted !== read) adjust(reading, path);
      return formatted;
    },
  };
}

/** A day that somebody picked. */
export function localDate(): Field<string, TextInput, false> {
  const described = { description: "`YYYY-MM-DD`, in the site's local time.", example: "2026-11-28" };
  return localText(described, { type: "date `YYYY-MM-DD`", format: toLocalDate });
}

function toLocalDate(text: string): string | undefined {
  const match = /^(\d{4})([-/.]?)(\d\d)\2(\d\d)(?:[T ].*)?$/u.exec(text);
  if (match === null) return undefined;
  const [, year, , month, day] = match;
  return `${year}-${month}-${day}`;
}

/** A time of day that somebody picked. */
export function localTime(): Field<string, TextInput, false> {
  const described = { description: "`HH:MM`, in the site's local time.", example: "14:30" };
  return localText(described, { type: "time `HH:MM`", format: toLocalTime });
}

function toLocalTime(text: string): string | undefined {
  const ofDay = text.replace(/^\d{4}-\d\d-\d\d[T ]/u, "");
  const match = /^(\d{1,2}):(\d\d)(?::\d\d(?:\.\d+)?)?(?:Z| ?([ap])\.?m\.?)?$/iu.exec(ofDay);
  if (match === null) return undefined;
  const [, hour, minute, half] = match;
  const isAfternoon = half?.toLowerCase() === "p";
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0);
  return hours > 23 || Number(minute) > 59 ? undefined : `${String(hours).padStart(2, "0")}:${minute}`;
}

/** When the record was created. */
export function createdAt(): Field<string, TimeInput, false> {
  return {
    schema: timestampSchema,
    type: "timestamp",
    required: false,
    whenMissing: "the current time",
    read(value, path, reading) {
      const wire = typeof value === "string" ? readWireForm(value) : undefined;
      if (typeof value === "string" && wire !== undefined) {
        reading.createdAt = wire;
        reading.hasCreatedAt = true;
        return value;
      }
      const time = readHostTime(value instanceof Date ? value : toPlain(value), reading.timeZone);
      reading.createdAt = time?.ms ?? reading.now;
      reading.hasCreatedAt = time !== undefined;
      if (time?.isLocal === true) reading.isLocalTime = true;
      if (!(value instanceof Date && time !== undefined)) adjust(reading, path);
      return toTimestamp(reading.createdAt);
    },
  };
}

/** What an amount is where the host sends none: `undefined` refuses that. */
interface AmountOptions extends Described<number | null> {
  readonly whenMissing?: string;
  /** Computes it from the object around it. @default 0 */
  readonly derive?: (siblings: Siblings) => number | undefined;
}

type AmountReading = number | "missing" | "refused";

function readAmount(value: unknown, path: string, reading: Reading): AmountReading {
  const plain = typeof value === "number" ? value : toPlain(value);
  if (isSentEmpty(plain)) return "missing";
  const amount = toAmount(plain);
  if (amount === undefined) return refuse(reading, path, amountProblem(plain), "refused");
  if (!Object.is(amount, value)) adjust(reading, path);
  return amount;
}

function toAmount(plain: unknown): number | undefined {
  if (typeof plain === "number") return Number.isFinite(plain) ? roundAmount(plain) : undefined;
  if (typeof plain === "bigint") return parseAmount(String(plain));
  return typeof plain === "string" ? parseAmount(plain) : undefined;
}

function amountProblem(plain: unknown): string {
  return typeof plain === "string" || typeof plain === "bigint"
    ? "must be a number, or decimal text such as 9.50 with at most 15 digits"
    : "must be a number";
}

/** An amount without which the event says nothing. */
export function requiredAmount({
  description,
  example,
}: Described<number>): Field<number, AmountInput, true> {
  return {
    schema: z.number().meta({ description, example }),
    type: "number",
    required: true,
    whenMissing: "",
    read(value, path, reading) {
      const amount = readAmount(value, path, reading);
      if (typeof amount === "number") return amount;
      return amount === "refused" ? 0 : refuse(reading, path, "is required", 0);
    },
  };
}

export function amount({
  description,
  example,
  whenMissing = "`0`",
  derive = () => 0,
}: AmountOptions & Described<number>): Field<number, AmountInput, false> {
  return {
    schema: z.number().meta({ description, example }),
    type: "number",
    required: false,
    whenMissing,
    read(value, path, reading, siblings) {
      const read = readAmount(value, path, reading);
      if (typeof read === "number") return read;
      if (read === "missing") adjust(reading, path);
      const derived = derive(siblings) ?? 0;
      return Number.isFinite(derived) ? roundAmount(derived) : 0;
    },
  };
}

/** An amount that the tables mark "or null". */
export function nullableAmount({
  description,
  example,
}: Described<number>): Field<number | null, AmountInput, false> {
  return {
    schema: z.number().nullable().meta({ description, example }),
    type: "number or null",
    required: false,
    whenMissing: "`null`",
    read(value, path, reading) {
      const read = readAmount(value, path, reading);
      if (typeof read === "number") return read;
      if (read === "missing" && value !== null) adjust(reading, path);
      return null;
    },
  };
}

/** The amount that another field of the same object holds. */
export function amountOf(siblings: Siblings, name: string): number | undefined {
  return toAmount(toPlain(siblings[name]));
}

interface IntegerOptions extends Described<number> {
  readonly whenMissing: number;
  /** Makes an integer of a number with decimals. What cannot be read counts as missing. @default both are refused, with `advice` */
  readonly round?: ((amount: number) => number) | undefined;
  /** What to send instead. */
  readonly advice?: string;
}

export function integer({
  description,
  example,
  whenMissing,
  round,
  advice,
}: IntegerOptions): Field<number, number | string | bigint, false> {
  return {
    schema: z.int().meta({ description, example }),
    type: "integer",
    required: false,
    whenMissing: `\`${whenMissing}\``,
    read(value, path, reading) {
      const plain = typeof value === "number" ? value : toPlain(value);
      if (isSentEmpty(plain)) {
        adjust(reading, path);
        return whenMissing;
      }
      const sent = toAmount(plain);
      const read = sent === undefined || round === undefined ? sent : round(sent);
      if (read === undefined || !Number.isSafeInteger(read)) {
        if (round === undefined) return refuse(reading, path, `must be an integer: ${advice}`, whenMissing);
        adjust(reading, path);
        return whenMissing;
      }
      if (!Object.is(read, value)) adjust(reading, path);
      return read;
    },
  };
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

interface ObjectOptions {
  readonly description: string;
  /** The field that a text or a number stands for where an object is expected. */
  readonly textField: string;
}

/** Reads an object. A text or a number becomes one of its fields, and anything else an object of empty fields. */
function readObject(
  fields: Fields,
  value: unknown,
  { path, textField }: { readonly path: string; readonly textField: string },
  reading: Reading,
): object {
  const plain = toPlain(value);
  if (isRecord(plain)) return readFields(fields, plain, `${path}.`, reading);
  const adjusted = reading.adjusted.length;
  const isText = typeof plain === "string" || typeof plain === "number" || typeof plain === "bigint";
  const record = readFields(fields, isText ? { [textField]: plain } : {}, `${path}.`, reading);
  // One path for the whole object.
  reading.adjusted.length = adjusted;
  adjust(reading, path);
  return record;
}

/** An object. Where it is missing, each of its fields is what it is when missing. */
export function object<const ObjectFields extends Fields>(
  fields: ObjectFields,
  options: ObjectOptions,
): Field<OutputOf<ObjectFields>, InputOf<ObjectFields>, false>;
export function object(
  fields: Fields,
  { description, textField }: ObjectOptions,
): Field<object, unknown, false> {
  return {
    schema: toObjectSchema(fields).meta({ description }),
    type: "object",
    required: false,
    whenMissing: "an object of empty fields",
    fields,
    read: (value, path, reading) => readObject(fields, value, { path, textField }, reading),
  };
}

/** The entries of a list. An object is a list whose keys are not in a row, as PHP writes it. */
function toEntries(value: unknown): readonly unknown[] {
  const plain = toPlain(value);
  if (Array.isArray(plain)) return Array.from<unknown>(plain);
  if (isRecord(plain)) return Object.values(plain);
  return isSentEmpty(plain) || typeof plain === "boolean" ? [] : [plain];
}

/** An item takes 50 bytes of JSON, so more than these are longer than a record may be. */
const maximumItems = 5_243;
/** What an item takes beside its texts, counted as texts are. */
const charactersPerItem = 16;

/** A list of objects. */
export function list<const ItemFields extends Fields>(
  fields: ItemFields,
  options: ObjectOptions,
): Field<OutputOf<ItemFields>[], readonly InputOf<ItemFields>[], false>;
export function list(
  fields: Fields,
  { description, textField }: ObjectOptions,
): Field<object[], unknown, false> {
  return {
    schema: z.array(toObjectSchema(fields)).meta({ description }),
    type: "list of objects",
    required: false,
    whenMissing: "`[]`",
    fields,
    read(value, path, reading) {
      const entries = toEntries(value);
      if (!Array.isArray(value)) adjust(reading, path);
      if (entries.length > maximumItems)
        return refuse(reading, path, `must have at most ${maximumItems} entries`, []);
      reading.characters += entries.length * charactersPerItem;
      const records: object[] = [];
      for (const [index, entry] of entries.entries()) {
        const at = `${path}.${index}`;
        if (isSentEmpty(entry)) adjust(reading, at);
        else records.push(readObject(fields, entry, { path: at, textField }, reading));
      }
      return records;
    },
  };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads all fields of an object, in the order of their table. */
export function readFields<ObjectFields extends Fields>(
  fields: ObjectFields,
  source: Siblings,
  prefix: string,
  reading: Reading,
): OutputOf<ObjectFields>;
export function readFields(fields: Fields, source: Siblings, prefix: string, reading: Reading): object {
  const record: Record<string, unknown> = {};
  for (const [name, field] of entriesOf(fields))
    record[name] = field.read(source[name], prefix + name, reading, source);
  return record;
}

const knownEntries = new WeakMap<Fields, readonly (readonly [string, Field])[]>();

function entriesOf(fields: Fields): readonly (readonly [string, Field])[] {
  let entries = knownEntries.get(fields);
  if (entries === undefined) knownEntries.set(fields, (entries = Object.entries(fields)));
  return entries;
}

/** The schema of what is answered. */
export function toObjectSchema<ObjectFields extends Fields>(
  fields: ObjectFields,
): z.ZodObject<{ -readonly [Name in keyof ObjectFields]: ObjectFields[Name]["schema"] }>;
export function toObjectSchema(fields: Fields): z.ZodObject {
  return z.object(Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])));
}
