import { ownError } from "../cli-error.ts";
import { commonOptions } from "./command.ts";
import type { Command, GivenOptions } from "./command.ts";
import { suggest } from "../suggest.ts";

export interface ParsedArguments {
  readonly words: readonly string[];
  readonly options: GivenOptions;
}

/**
 * Parses the arguments after the name of a command. Option parsers such as citty ignore unknown options, or accept no
 * option twice. Here both are needed.
 *
 * @throws {CliError} `wrong_usage`
 */
export function parseArguments(
  command: Pick<Command, "name" | "options" | "words">,
  commandLine: readonly string[],
): ParsedArguments {
  const known = [...command.options, ...commonOptions];
  const given = new Map<string, string[]>();
  const words: string[] = [];
  const rest = [...commandLine];
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (argument === "--") {
      words.push(...rest.splice(0));
      break;
    }
    if (!argument.startsWith("-") || argument === "-") {
      words.push(argument);
      continue;
    }
    const [, name = argument, inline] = /^--([^=]+)(?:=(.*))?$/su.exec(argument) ?? [];
    const flag = argument === "-h" ? "help" : name;
    const option = known.find((each) => each.flag === flag);
    if (option === undefined) {
      const flags = known.map((each) => each.flag);
      const hint = suggest(flag, flags, "--");
      throw refuse(command, `unknown option ${JSON.stringify(withoutValue(argument))}${hint}`);
    }
    const values = given.get(flag) ?? [];
    if (values.length > 0 && option.repeats !== true) throw refuse(command, `--${flag} is given twice`);
    if (option.value === undefined) {
      if (inline !== undefined) throw refuse(command, `--${flag} takes no value`);
      given.set(flag, ["on"]);
      continue;
    }
    const value = inline ?? (rest[0]?.startsWith("--") === true ? undefined : rest.shift());
    if (value === undefined || value === "")
      throw refuse(command, `--${flag} needs a value: ${option.value}`);
    given.set(flag, [...values, value]);
  }
  const options: GivenOptions = {
    has: (flag) => given.has(flag),
    get: (flag) => given.get(flag)?.[0],
    getAll: (flag) => given.get(flag) ?? [],
  };
  if (!options.has("help")) checkWords(command, words);
  return { words, options };
}

function checkWords(command: Pick<Command, "name" | "words">, words: readonly string[]): void {
  const missing = command.words[words.length];
  if (missing !== undefined) throw refuse(command, `${missing.name} is missing. ${missing.description}`);
  const extra = words[command.words.length];
  if (extra !== undefined) throw refuse(command, `unexpected argument ${JSON.stringify(extra)}`);
}

function refuse({ name }: Pick<Command, "name">, why: string): Error {
  return ownError("wrong_usage", `${why}. See \`hookwright ${name} --help\`.`);
}

/** A value may be a secret, so it is not repeated. */
function withoutValue(argument: string): string {
  return argument.split("=", 1)[0] ?? argument;
}
