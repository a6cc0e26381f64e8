import { z } from "zod";
import { isSentEmpty } from "../sent-empty.ts";
import { adjust, drop, refuse } from "./field.ts";
import type { Field, Fields, InputOf, OutputOf, Reading, Siblings } from "./field.ts";
import { isRecord, toEntries, toPlain } from "./plain-value.ts";

interface ObjectOptions {
  readonly description: string;
  /** The field that receives a text or a number sent in place of the object. */
  readonly textField: string;
}

/**
 * Reads an object. A text or a number becomes one of its fields. Anything else becomes an object of empty
 * fields.
 */
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
  // Record one path for the whole object.
  reading.adjusted.length = adjusted;
  adjust(reading, path);
  return record;
}

/** An object. If it is missing, all its fields are missing. */
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

/** An item takes at least 50 bytes of JSON, so more items exceed the size of a record. */
const maximumItems = 5_243;
/** The size of an item besides its texts, in characters. */
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

/** Reads all fields of an object in the order of their table. */
export function readFields<ObjectFields extends Fields>(
  fields: ObjectFields,
  source: Siblings,
  prefix: string,
  reading: Reading,
): OutputOf<ObjectFields>;
export function readFields(fields: Fields, source: Siblings, prefix: string, reading: Reading): object {
  const { entries, names, empty } = tableOf(fields);
  // A copy has room for all fields. An object that grows field by field is allocated again and again.
  const record = { ...empty };
  let sent = 0;
  for (const [name, field] of entries) {
    const value = source[name];
    if (value !== undefined) sent += 1;
    record[name] = field.read(value, prefix + name, reading, source);
  }
  // Counting costs less than looking up every name. It is exact for plain objects: a class may have getters.
  for (const _ in source) sent -= 1;
  if (sent !== 0 || source["constructor"] !== Object) dropUnknown(names, source, prefix, reading);
  return record;
}

/** Records the fields that were sent and are not in the table. */
function dropUnknown(names: ReadonlySet<string>, source: Siblings, prefix: string, reading: Reading): void {
  for (const name of Object.keys(source))
    if (!names.has(name) && source[name] !== undefined) drop(reading.dropped, prefix + name);
}

interface FieldTable {
  readonly entries: readonly (readonly [string, Field])[];
  readonly names: ReadonlySet<string>;
  /** All fields, without values. */
  readonly empty: Readonly<Record<string, unknown>>;
}

const knownTables = new WeakMap<Fields, FieldTable>();

function tableOf(fields: Fields): FieldTable {
  let table = knownTables.get(fields);
  if (table === undefined) {
    const names = Object.keys(fields);
    const empty = Object.fromEntries(names.map((name) => [name, undefined]));
    table = { entries: Object.entries(fields), names: new Set(names), empty };
    knownTables.set(fields, table);
  }
  return table;
}

/** Returns the schema of the object in responses. */
export function toObjectSchema<ObjectFields extends Fields>(
  fields: ObjectFields,
): z.ZodObject<{ -readonly [Name in keyof ObjectFields]: ObjectFields[Name]["schema"] }>;
export function toObjectSchema(fields: Fields): z.ZodObject {
  return z.object(Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])));
}
