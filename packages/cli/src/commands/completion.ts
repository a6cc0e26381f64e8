import { exitStatus, ownError } from "../cli-error.ts";
import { helpOption } from "../command-line/command.ts";
import type { Command, CommandContext, Option } from "../command-line/command.ts";
import { suggest } from "../suggest.ts";

const shells = ["bash", "zsh", "fish"] as const;

export const completionCommand: Command = {
  name: "completion",
  description: "Print a script that completes commands and options in a shell",
  group: "Tools",
  words: [{ name: "SHELL", description: "bash, zsh or fish", values: shells }],
  options: [],
  common: ["json"],
  examples: [
    { command: "source <(hookwright completion bash)", explanation: "bash, for example in ~/.bashrc" },
    {
      command: "source <(hookwright completion zsh)",
      explanation: "zsh, for example in ~/.zshrc, after compinit",
    },
    {
      command: "hookwright completion fish > ~/.config/fish/completions/hookwright.fish",
      explanation: "fish",
    },
  ],
  async run({ words: [shell = ""], program, output, commands }) {
    const render = { bash: renderBash, zsh: renderZsh, fish: renderFish }[shell];
    if (render === undefined) {
      const hint = suggest(shell, shells, "");
      throw ownError(
        "wrong_usage",
        `unknown shell ${JSON.stringify(shell)}${hint}. The shells are: ${shells.join(", ")}.`,
      );
    }
    const script = render(commands);
    if (output.isJson) output.document({ shell, script });
    // The script is not a line for people, so it is not escaped.
    else program.print(script);
    return exitStatus.done;
  },
};

type Commands = CommandContext["commands"];

/** The server's own commands have options that are not listed here. */
function optionsOf({ options = [helpOption] }: Commands[number]): readonly Option[] {
  return options;
}

function valuesOf({ words }: Commands[number]): readonly string[] {
  return words?.[0]?.values ?? [];
}

/** Options whose value is a file. */
function takesFile({ value }: Option): boolean {
  return value === "FILE";
}

function fileFlags(commands: Commands): readonly string[] {
  const options = commands.flatMap(optionsOf).filter(takesFile);
  return [...new Set(options.map(({ flag }) => `--${flag}`))];
}

function renderBash(commands: Commands): string {
  return [
    "# bash completion for hookwright",
    "_hookwright() {",
    '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words=""',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words="${commands.map(({ name }) => name).join(" ")} --help --version"`,
    "  else",
    '    case "$before" in',
    `      ${fileFlags(commands).join("|")}) COMPREPLY=($(compgen -f -- "$word")); return ;;`,
    "    esac",
    '    case "${COMP_WORDS[1]}" in',
    ...commands.map((command) => {
      const words = [...valuesOf(command), ...optionsOf(command).map(({ flag }) => `--${flag}`)];
      return `      ${command.name}) words="${words.join(" ")}" ;;`;
    }),
    "    esac",
    "  fi",
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    "}",
    "complete -F _hookwright hookwright",
  ].join("\n");
}

function renderZsh(commands: Commands): string {
  return [
    "#compdef hookwright",
    "_hookwright() {",
    "  local -a commands",
    "  commands=(",
    ...commands.map(({ name, description }) => `    ${quote(`${name}:${description}`)}`),
    "  )",
    "  if (( CURRENT == 2 )); then",
    "    _describe 'command' commands",
    "    return",
    "  fi",
    '  case "${words[2]}" in',
    ...commands.flatMap((command) => [
      `    ${command.name})`,
      `      _arguments -s ${[
        ...optionsOf(command).map((option) => quote(toZshOption(option))),
        ...(valuesOf(command).length > 0 ? [quote(`2:value:(${valuesOf(command).join(" ")})`)] : []),
      ].join(" ")}`,
      "      ;;",
    ]),
    "  esac",
    "}",
    "compdef _hookwright hookwright",
  ].join("\n");
}

function toZshOption(option: Option): string {
  const { flag, value, description, repeats = false } = option;
  const text = description.replaceAll(/[[\]:]/gu, (letter) => `\\${letter}`);
  const kind = takesFile(option)
    ? ":file:_files"
    : value === undefined
      ? ""
      : `:${value.replaceAll(":", "\\:")}:`;
  return `${repeats ? "*" : ""}--${flag}[${text}]${kind}`;
}

function renderFish(commands: Commands): string {
  const isFirst = "__fish_use_subcommand";
  return [
    "# fish completion for hookwright",
    "complete -c hookwright -f",
    ...commands.map(
      ({ name, description }) => `complete -c hookwright -n ${isFirst} -a ${name} -d ${quote(description)}`,
    ),
    ...commands.flatMap((command) => {
      const isThis = quote(`__fish_seen_subcommand_from ${command.name}`);
      return [
        ...(valuesOf(command).length > 0
          ? [`complete -c hookwright -n ${isThis} -a ${quote(valuesOf(command).join(" "))}`]
          : []),
        ...optionsOf(command).map((option) => {
          const value = takesFile(option) ? " -r -F" : option.value === undefined ? "" : " -x";
          return `complete -c hookwright -n ${isThis} -l ${option.flag}${value} -d ${quote(option.description)}`;
        }),
      ];
    }),
  ].join("\n");
}

/** For a POSIX shell and for fish. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
