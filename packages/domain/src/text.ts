import { z } from "zod";

interface Described {
  readonly description: string;
  readonly example?: string;
}

interface TextOptions extends Described {
  /**
   * The maximum length in UTF-16 units. JSON Schema's `maxLength` counts code points, so it may allow twice
   * as many. Some of these texts are parts of keys with a limited size.
   */
  readonly max: number;
  /** Whether blank text is allowed. @default true */
  readonly blank?: boolean;
  /** Whether it must be one line, without control characters. @default false */
  readonly line?: boolean;
}

/**
 * Text of a client, bounded and well-formed. UTF-8 cannot encode a lone surrogate, so signed bytes would
 * differ from the stored text.
 */
export function text({ max, description, example, blank = true, line = false }: TextOptions) {
  const options = { max, blank, line };
  return z
    .string()
    .refine((value) => problemOf(value, options) === undefined, {
      error: (issue) => problemOf(String(issue.input), options),
    })
    .meta({
      description,
      ...(example === undefined ? {} : { example }),
      ...(blank ? {} : { minLength: 1 }),
      ...(max === Number.POSITIVE_INFINITY ? {} : { maxLength: max }),
    });
}

/** Also the separators that end a line. */
const controlCharacter = /[\p{Cc}\u2028\u2029]/u;

function problemOf(
  value: string,
  { max, blank, line }: Required<Pick<TextOptions, "max" | "blank" | "line">>,
): string | undefined {
  if (value.length > max) return `must be at most ${max} characters long`;
  if (!value.isWellFormed()) return "must be well-formed text";
  if (!blank && value.trim() === "") return "must not be blank";
  if (line && controlCharacter.test(value)) return "must be one line, without control characters";
  return undefined;
}

/** Text in responses, without a limit. */
export function answeredText({ description, example }: Described) {
  return z.string().meta({ description, example });
}

/** Nullable text in responses. */
export function answeredNullableText({ description, example }: Described) {
  return z.string().nullable().meta({ description, example });
}

const maximumTags = 100;

/** The tags of one request. `joinTags` trims them and drops blank ones. */
export function tagList(description: string) {
  return z
    .array(text({ max: 100, description: "A tag.", example: "vip" }))
    .max(maximumTags)
    .meta({ description, example: ["vip"] });
}
