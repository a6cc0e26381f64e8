import { z } from "zod";

interface TextOptions {
  /**
   * Longest length in UTF-16 units. `maxLength` of JSON Schema counts code points: of letters beyond the basic plane, such as
   * most emoji, it permits up to twice as many. Some of these texts are parts of keys, which have no room for that.
   */
  readonly max: number;
  readonly description: string;
  readonly example?: string;
  /** @default true; false refuses `""` and white space only. */
  readonly blank?: boolean;
}

/**
 * Bounded, well-formed text of a client. A lone surrogate cannot be written as UTF-8: it would be stored as something else than
 * was sent, and signed bytes would differ from what a receiver decodes.
 */
export function text({ max, description, example, blank = true }: TextOptions) {
  return z
    .string()
    .refine((value) => problemOf(value, max, blank) === undefined, {
      error: (issue) => problemOf(String(issue.input), max, blank),
    })
    .meta({
      description,
      ...(example === undefined ? {} : { example }),
      ...(blank ? {} : { minLength: 1 }),
      ...(max === Number.POSITIVE_INFINITY ? {} : { maxLength: max }),
    });
}

function problemOf(value: string, max: number, blank: boolean): string | undefined {
  if (value.length > max) return `must be at most ${max} characters long`;
  if (!value.isWellFormed()) return "must be well-formed text";
  if (!blank && value.trim() === "") return "must not be blank";
  return undefined;
}

/**
 * The first UTF-16 units of a text, or one less where they would end in half of a surrogate pair.
 *
 * @example beginningOf("🦄🦄", 3) // "🦄"
 */
export function beginningOf(text: string, units: number): string {
  const beginning = text.slice(0, units);
  const isCut =
    units < text.length &&
    !text.slice(units - 1, units).isWellFormed() &&
    text.slice(units - 1, units + 1).isWellFormed();
  return isCut ? beginning.slice(0, -1) : beginning;
}

/** Text as it is answered. Only what clients send has limits. */
export function answeredText({
  description,
  example,
}: {
  readonly description: string;
  readonly example: string;
}) {
  return z.string().meta({ description, example });
}

/** The same where it may be null. */
export function answeredNullableText({
  description,
  example,
}: {
  readonly description: string;
  readonly example: string;
}) {
  return z.string().nullable().meta({ description, example });
}

const maximumTags = 100;

/** The tags of one request. Each is trimmed and blank ones are dropped when they are joined, not here. */
export function tagList(description: string) {
  return z
    .array(text({ max: 100, description: "A tag.", example: "vip" }))
    .max(maximumTags)
    .meta({ description, example: ["vip"] });
}
