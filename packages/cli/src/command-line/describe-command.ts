import { helpWidth, wrap } from "../terminal/wrap.ts";
import { listOptions } from "./command.ts";
import type { Command, Option } from "./command.ts";

/** The text of `hookwright COMMAND --help`. */
export function describeCommand(command: Omit<Command, "run" | "group">): string {
  const { name, description, words, examples, notes = [] } = command;
  const usage = ["hookwright", name, ...words.map((word) => word.name), "[options]"].join(" ");
  const all = listOptions(command);
  const left = [...words.map((word) => word.name), ...all.map(nameOf)];
  const width = Math.max(...left.map(({ length }) => length));
  const describe = (label: string, text: string): string[] =>
    wrap(text, helpWidth - width - 4).map((line, number) =>
      number === 0 ? `  ${label.padEnd(width)}  ${line}` : " ".repeat(width + 4) + line,
    );
  return [
    `Usage: ${usage}`,
    "",
    `${description}.`,
    "",
    ...words.flatMap((word) => describe(word.name, word.description)),
    ...all.flatMap((option) => describe(nameOf(option), option.description)),
    "",
    "Examples:",
    ...examples.flatMap(({ command: line, explanation }) => [
      "",
      ...wrap(explanation, helpWidth - 4).map((text) => `  # ${text}`),
      `  ${line}`,
    ]),
    ...notes.flatMap((note) => ["", ...wrap(note, helpWidth)]),
  ].join("\n");
}

function nameOf({ flag, value }: Option): string {
  return value === undefined ? `--${flag}` : `--${flag} ${value}`;
}
