import { parseArgs } from "node:util";
import { hidePassword } from "@hookwright/domain";
import { ownError } from "../cli-error.ts";
import { suggest } from "../suggest.ts";
import { listOptions } from "./command.ts";
import type { CommandUsage, GivenOptions } from "./command.ts";

export interface ParsedArguments {
  readonly words: readonly string[];
  readonly options: GivenOptions;
}

/**
 * Parses the arguments after the name of a command. Everything is refused that the command does not know.
 *
 * @param fail creates the error. @default a `CliError` with `wrong_usage`
 * @throws the error that `fail` creates
 */
export function parseArguments(
  usage: Pick<CommandUsage, "name" | "options" | "words" | "common">,
  commandLine: readonly string[],
  fail: (message: string) => Error = (message) => ownError("wrong_usage", message),
): ParsedArguments {
  const refuse = (why: string): Error => fail(`${why}. See \`hookwright ${usage.name} --help\`.`);
  const known = new Map(listOptions(usage).map((option) => [option.flag, option]));
  const { tokens } = parseArgs({
    args: [...commandLine],
    options: Object.fromEntries(
      [...known.values()].map(({ flag, value }) => [
        flag,
        {
          type: value === undefined ? ("boolean" as const) : ("string" as const),
          ...(flag === "help" ? { short: "h" } : {}),
        },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { name: flag, rawName, value = "", inlineValue } = token;
    const option = known.get(flag);
    if (option === undefined) {
      const hint = suggest(flag, [...known.keys()], "--");
      // A value may be a secret, so it is not repeated.
      throw refuse(`unknown option ${JSON.stringify(rawName)}${hint}`);
    }
    const values = given.get(flag) ?? [];
    if (values.length > 0 && option.repeats !== true) throw refuse(`--${flag} is given twice`);
    if (option.value === undefined && inlineValue === true) throw refuse(`--${flag} takes no value`);
    if (inlineValue === false && value.startsWith("--")) {
      const next = JSON.stringify(value.split("=", 1)[0]);
      throw refuse(
        `--${flag} needs a value, but ${next} looks like another option. Write a value that begins with dashes as --${flag}=VALUE`,
      );
    }
    if (option.value !== undefined && option.mayBeEmpty !== true && value.trim() === "")
      throw refuse(`--${flag} needs a value: ${option.value}`);
    given.set(flag, [...values, option.value === undefined ? "on" : value]);
  }
  const words = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
  const options: GivenOptions = {
    has: (flag) => given.has(flag),
    get: (flag) => given.get(flag)?.at(-1),
    getAll: (flag) => given.get(flag) ?? [],
  };
  if (!options.has("help")) {
    const { words: expected = [] } = usage;
    const missing = expected[words.length];
    if (missing !== undefined && missing.isOptional !== true)
      throw refuse(`${missing.name} is missing. ${missing.description}`);
    const extra = words[expected.length];
    if (extra !== undefined) throw refuse(`unexpected argument ${JSON.stringify(hidePassword(extra))}`);
  }
  return { words, options };
}
