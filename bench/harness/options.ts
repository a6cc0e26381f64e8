import { parseArgs } from "node:util";

/** An option of a bench. */
interface Option<Value> {
  readonly text: string;
  readonly default: string;
  /** @throws Error that names the option and its valid values */
  read(name: string, value: string): Value;
}

type Values<Options> = {
  readonly [Name in keyof Options]: Options[Name] extends Option<infer Value> ? Value : never;
};

type Options = Readonly<Record<string, Option<unknown>>>;

export function wholeNumber(fallback: number, text: string): Option<number> {
  return {
    text,
    default: String(fallback),
    read(name, value) {
      if (/^[1-9]\d{0,7}$/u.test(value)) return Number(value);
      throw new Error(`--${name} must be a whole number from 1 to 99999999; "${value}" is not.`);
    },
  };
}

/** One of these names. @default the first */
export function oneOf<const Name extends string>(names: readonly Name[], text: string): Option<Name> {
  return {
    text: `${names.join(", ")}: ${text}`,
    default: names[0] ?? "",
    read: (name, value) => find(names, name, value),
  };
}

/** Some of these names, in their order. @default all */
export function someOf<const Name extends string>(
  names: readonly Name[],
  text: string,
): Option<readonly Name[]> {
  return {
    text,
    default: names.join(","),
    read(name, value) {
      const chosen = new Set(value.split(",").map((each) => find(names, name, each)));
      return names.filter((each) => chosen.has(each));
    },
  };
}

/** @throws Error that names the option and its valid values */
export function parseOptions<Given extends Options>(given: Given, args: readonly string[]): Values<Given>;
export function parseOptions(given: Options, args: readonly string[]): unknown {
  const entries = Object.entries(given);
  const { values } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      entries.map(([name, option]) => [name, { type: "string", default: option.default } as const]),
    ),
  });
  return Object.fromEntries(entries.map(([name, option]) => [name, option.read(name, String(values[name]))]));
}

/** The options of this process. Prints the help for `--help`, or why an option is invalid, and exits. */
export function readOptions<Given extends Options>(
  about: string,
  given: Given,
  args: readonly string[] = process.argv.slice(2),
): Values<Given> {
  if (args.includes("--help") || args.includes("-h")) {
    const lines = Object.entries(given).map(
      ([name, option]) => `  --${name.padEnd(12)} ${option.text} (default ${option.default})`,
    );
    console.log([about, ...(lines.length > 0 ? [""] : []), ...lines].join("\n"));
    process.exit(0);
  }
  try {
    return parseOptions(given, args);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

function find<Name extends string>(names: readonly Name[], option: string, value: string): Name {
  const found = names.find((name) => name === value);
  if (found !== undefined) return found;
  throw new Error(`--${option} must be one of ${names.join(", ")}; "${value}" is not.`);
}
