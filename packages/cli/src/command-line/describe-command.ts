import { helpWidth, wrap } from "../terminal/wrap.ts";
import { listOptions } from "./command.ts";
import type { CommandUsage, ListedCommand, Option, Word } from "./command.ts";

/**
 * The text of `hookwright COMMAND --help`.
 *
 * @example describeCommand({ name: "logout", description: "Delete the stored credential", options: [] })
 */
export function describeCommand(usage: CommandUsage): string {
  const { name, description, words = [], examples = [], notes = [] } = usage;
  const { entries = listOptions(usage).map((option) => [nameOf(option), option.description] as const) } =
    usage;
  const rows = [...words.map((word) => [word.name, word.description] as const), ...entries];
  return [
    `Usage: ${["hookwright", name, ...words.map(toUsage), "[options]"].join(" ")}`,
    "",
    `${description}.`,
    "",
    ...describeRows(rows),
    ...(examples.length > 0 ? ["", "Examples:"] : []),
    ...examples.flatMap(({ command, explanation }) => [
      "",
      ...wrap(explanation, helpWidth - 4).map((text) => `  # ${text}`),
      `  ${command}`,
    ]),
    ...notes.flatMap((note) => ["", ...wrap(note, helpWidth)]),
  ].join("\n");
}

/** Beside long labels, the texts would have too little space. */
const longestLabel = 30;

function describeRows(rows: readonly (readonly [label: string, text: string])[]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length));
  if (width > longestLabel)
    return rows.flatMap(([label, text]) => [
      `  ${label}`,
      ...wrap(text, helpWidth - 6).map((line) => `      ${line}`),
    ]);
  return rows.flatMap(([label, text]) =>
    wrap(text, helpWidth - width - 4).map(
      (line, number) => `  ${(number === 0 ? label : "").padEnd(width)}  ${line}`,
    ),
  );
}

function nameOf({ flag, value }: Option): string {
  return value === undefined ? `--${flag}` : `--${flag} ${value}`;
}

/** The text of `hookwright --help`: all commands, in groups. */
export function describeCommands(purpose: string, commands: readonly ListedCommand[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const groups = [...new Set(commands.map(({ group }) => group))];
  return [
    "Usage: hookwright COMMAND [options]",
    "",
    ...wrap(purpose, helpWidth),
    ...groups.flatMap((group) => [
      "",
      `${group}:`,
      ...commands
        .filter((each) => each.group === group)
        .map(({ name, description }) => `  ${name.padEnd(width)}  ${description}`),
    ]),
    "",
    ...wrap(
      "Run `hookwright COMMAND --help` for the options of a command, and `hookwright --version` for the version.",
      helpWidth,
    ),
    "",
    ...wrap(
      "Exit status: 0 done, 1 negative result, 2 wrong usage, 3 no server or no credential, or an unexpected error, 130 interrupted.",
      helpWidth,
    ),
  ].join("\n");
}

/** @example toUsage({ name: "ACTION", isOptional: true, description: "create" }) // "[ACTION]" */
function toUsage({ name, isOptional = false }: Word): string {
  return isOptional ? `[${name}]` : name;
}
