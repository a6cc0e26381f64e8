import type { z } from "zod";

/** What reading one record collects, besides the record. */
export interface Reading {
  /** Milliseconds since 1970: what `created_at` becomes where it is left out. */
  readonly now: number;
  /** In which times without a zone are read. */
  readonly timeZone: string;
  readonly problems: string[];
  /** Paths of the fields that were filled or changed. */
  readonly adjusted: string[];
  /** Whether `timeZone` decided what a time means. */
  isLocalTime: boolean;
  /** `created_at` with its milliseconds, which the wire form cuts off. */
  createdAt: number;
  /** Whether the host sent a time that could be read. */
  hasCreatedAt: boolean;
  /** How long all texts are together, in UTF-16 units. */
  characters: number;
}

/** The object around a field, as it was sent. */
export type Siblings = Readonly<Record<string, unknown>>;

/**
 * One field of a record (specification, section 2): how a host's value is read, what the API and webhooks answer, and how the
 * documentation describes it. `Input` is what `publish` accepts.
 */
export interface Field<Output = unknown, Input = unknown, Required extends boolean = boolean> {
  /** Describes what is answered. */
  readonly schema: z.ZodType<Output>;
  readonly type: string;
  readonly required: Required;
  /** What a missing value becomes, in words. */
  readonly whenMissing: string;
  /** The fields inside, for an object or a list of objects. */
  readonly fields?: Fields | undefined;
  /** Reads what the host sent. A problem is added to `reading`; what is returned then has the right type and no meaning. */
  read(value: unknown, path: string, reading: Reading, siblings: Siblings): Output;
  /** Only a type. */
  readonly accepts?: Input;
}

/** What a field is called in words. */
export interface Described<Example> {
  readonly description: string;
  readonly example: Example;
}

export type Fields = Readonly<Record<string, Field>>;

/** The record that fields make up. */
export type OutputOf<RecordFields extends Fields> = {
  -readonly [Name in keyof RecordFields]: RecordFields[Name] extends Field<infer Output> ? Output : never;
};

type InputOfField<OneField> = OneField extends Field<unknown, infer Input> ? Input : never;

type RequiredNames<RecordFields extends Fields> = {
  [Name in keyof RecordFields]: RecordFields[Name] extends Field<unknown, unknown, true> ? Name : never;
}[keyof RecordFields];

/** What a host may send for them. */
export type InputOf<RecordFields extends Fields> = {
  readonly [Name in RequiredNames<RecordFields>]: InputOfField<RecordFields[Name]>;
} & {
  readonly [Name in Exclude<keyof RecordFields, RequiredNames<RecordFields>>]?:
    | InputOfField<RecordFields[Name]>
    | null
    | undefined;
};

/** More paths than these tell a host nothing new. */
const maximumAdjusted = 1_000;

/** Notes that a field was filled or changed. */
export function adjust(reading: Reading, path: string): void {
  if (reading.adjusted.length < maximumAdjusted) reading.adjusted.push(path);
}

/** Notes why a value cannot be read, and gives the value that stands in its place. */
export function refuse<Value>(reading: Reading, path: string, problem: string, instead: Value): Value {
  reading.problems.push(`${path}: ${problem}`);
  return instead;
}
