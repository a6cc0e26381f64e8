import type { z } from "zod";

/** The state of reading one record. */
export interface Reading {
  /** Milliseconds since 1970. The default of `created_at`. */
  readonly now: number;
  /** The zone of times without a zone. */
  readonly timeZone: string;
  readonly problems: string[];
  /** Paths of the fields that were filled or changed. */
  readonly adjusted: string[];
  /** Paths of the fields that were sent and are not part of the event. */
  readonly dropped: string[];
  /** Whether a time was read in `timeZone`. */
  isLocalTime: boolean;
  /** `created_at` with milliseconds, which the wire format omits. */
  createdAt: number;
  /** Whether the host sent a valid time. */
  hasCreatedAt: boolean;
  /** The length of all texts together, in UTF-16 units. */
  characters: number;
}

/** The object that contains a field, as it was sent. */
export type Siblings = Readonly<Record<string, unknown>>;

/**
 * One field of a record (specification, section 2): how to read a host's value, and its schema and
 * documentation. `Input` is the type that `publish` accepts.
 */
export interface Field<Output = unknown, Input = unknown, Required extends boolean = boolean> {
  /** Describes the value in responses. */
  readonly schema: z.ZodType<Output>;
  readonly type: string;
  readonly required: Required;
  /** The value of a missing field, in words. */
  readonly whenMissing: string;
  /** The inner fields of an object or a list of objects. */
  readonly fields?: Fields | undefined;
  /** Reads the host's value. If it is invalid, adds a problem to `reading` and returns a placeholder. */
  read(value: unknown, path: string, reading: Reading, siblings: Siblings): Output;
  /** Exists only as a type. */
  readonly accepts?: Input;
}

/** The documentation of a field. */
export interface Described<Example> {
  readonly description: string;
  readonly example: Example;
}

export type Fields = Readonly<Record<string, Field>>;

/** The record type of fields. */
export type OutputOf<RecordFields extends Fields> = {
  -readonly [Name in keyof RecordFields]: RecordFields[Name] extends Field<infer Output> ? Output : never;
};

type InputOfField<OneField> = OneField extends Field<unknown, infer Input> ? Input : never;

type RequiredNames<RecordFields extends Fields> = {
  [Name in keyof RecordFields]: RecordFields[Name] extends Field<unknown, unknown, true> ? Name : never;
}[keyof RecordFields];

/**
 * The input type of fields. It is one object type, because TypeScript accepts any object for an intersection with an
 * empty half.
 */
export type InputOf<RecordFields extends Fields> = {
  readonly [Name in RequiredNames<RecordFields>]: InputOfField<RecordFields[Name]>;
} & {
  readonly [Name in Exclude<keyof RecordFields, RequiredNames<RecordFields>>]?:
    | InputOfField<RecordFields[Name]>
    | null
    | undefined;
} extends infer Input
  ? { [Name in keyof Input]: Input[Name] }
  : never;

/** More paths are not useful to a host. */
const maximumPaths = 1_000;
/** The name of a dropped field may have any length. */
const longestPath = 200;

/** Records that a field was filled or changed. */
export function adjust(reading: Reading, path: string): void {
  if (reading.adjusted.length < maximumPaths) reading.adjusted.push(path);
}

/** Records that a field was sent and is not part of the event. */
export function drop(dropped: string[], path: string): void {
  if (dropped.length < maximumPaths)
    dropped.push((path.length > longestPath ? `${path.slice(0, longestPath)}…` : path).toWellFormed());
}

/** Records why a value is invalid, and returns a placeholder. */
export function refuse<Value>(reading: Reading, path: string, problem: string, placeholder: Value): Value {
  reading.problems.push(`${path}: ${problem}`);
  return placeholder;
}
