import { StorageError } from "@hookwright/storage";
import { suggestOption } from "../options/suggest-option.ts";
import { ServerError } from "../server-error.ts";
import { hidePassword } from "../hide-password.ts";
import { helpWidth, wrap } from "@hookwright/cli";
import { commandDescriptions } from "./server-command.ts";
import type { CommandName, ServerCommand } from "./server-command.ts";
import { isSystemError } from "./is-system-error.ts";

/** An option of a command that runs and exits. */
export interface ToolOption {
  readonly flag: string;
  /** The placeholder for its value in the help, such as `DIR`. A switch has none. */
  readonly value?: string;
  readonly description: string;
}

export interface Tool {
  readonly name: CommandName;
  readonly options: readonly ToolOption[];
  /** Paragraphs at the end of the help. */
  readonly notes: readonly string[];
  /**
   * Runs with the texts of the given options. They are known and not empty. A given switch is `on`. Returns the exit code,
   * if it is not 0.
   */
  run(given: Readonly<Record<string, string | undefined>>): Promise<number | undefined>;
}

/** A command that parses its own options, and its help. */
export function createToolCommand(tool: Tool): ServerCommand {
  return {
    help: describe(tool),
    async run(rawArguments) {
      try {
        return (await tool.run(parseOptions(tool, rawArguments))) ?? 0;
      } catch (error) {
        throw toServerError(error);
      }
    },
  };
}

/** @throws {ServerError} `invalid_option` for an unknown option, one that is given twice, and one without its value */
function parseOptions(tool: Tool, rawArguments: readonly string[]): Record<string, string> {
  const given: Record<string, string> = {};
  const rest = [...rawArguments];
  const flags = tool.options.map(({ flag }) => flag);
  const refuse = (why: string): ServerError =>
    new ServerError("invalid_option", `${why}. See \`hookwright ${tool.name} --help\`.`);
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    const [, flag = "", inline] = /^--([^=]+)(?:=(.*))?$/su.exec(argument) ?? [];
    if (!flags.includes(flag)) {
      const isOption = argument.startsWith("-");
      const hint = isOption ? suggestOption(flag, flags) : "";
      throw refuse(
        `unknown ${isOption ? "option" : "argument"} ${JSON.stringify(hidePassword(argument))}${hint}`,
      );
    }
    if (given[flag] !== undefined) throw refuse(`--${flag} is given twice`);
    if (tool.options.some((option) => option.flag === flag && option.value === undefined)) {
      if (inline !== undefined) throw refuse(`--${flag} takes no value`);
      given[flag] = "on";
      continue;
    }
    const next = inline ?? (rest[0]?.startsWith("--") === true ? undefined : rest.shift());
    const value = next?.trim() ?? "";
    if (value === "") throw refuse(`--${flag} needs a value`);
    given[flag] = value;
  }
  return given;
}

function toServerError(error: unknown): unknown {
  if (error instanceof StorageError)
    return new ServerError("storage_unavailable", error.message, { cause: error });
  // For a full disk or an unreadable file, a stack trace does not help.
  if (isSystemError(error)) return new ServerError("transfer_refused", `${error.message}.`, { cause: error });
  return error;
}

function describe({ name, options, notes }: Tool): string {
  const left = options.map(({ flag, value }) => (value === undefined ? `--${flag}` : `--${flag} ${value}`));
  const width = Math.max(...left.map(({ length }) => length));
  const margin = " ".repeat(width + 4);
  return [
    `Usage: hookwright ${name} [options]`,
    "",
    `${commandDescriptions[name]}.`,
    "",
    ...options.flatMap(({ description: text }, index) =>
      wrap(text, helpWidth - margin.length).map((line, number) =>
        number === 0 ? `  ${left[index]?.padEnd(width)}  ${line}` : margin + line,
      ),
    ),
    ...notes.flatMap((note) => ["", ...wrap(note, helpWidth)]),
  ].join("\n");
}
