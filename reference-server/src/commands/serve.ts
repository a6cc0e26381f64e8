import { defineCommand, runCommand } from "citty";
import type { ArgsDef } from "citty";
import { describeOptions } from "../options/describe-options.ts";
import { suggestOption } from "../options/suggest-option.ts";
import type { Option } from "../options/option.ts";
import { options } from "../options/options.ts";
import { readSettings } from "../options/read-settings.ts";
import type { Program } from "../program.ts";
import { ServerError } from "../server-error.ts";
import { hidePassword } from "../hide-password.ts";
import type { ServerCommand } from "./server-command.ts";

const flagged = Object.values(options).flatMap((option: Option<unknown>) =>
  option.flag === undefined ? [] : [{ ...option, flag: option.flag }],
);

/** `hookwright serve` runs until a signal ends it. */
export function createServeCommand(program: Program): ServerCommand {
  const command = defineCommand({
    args: toArguments(),
    async run({ rawArgs, args }) {
      refuseWithoutValue(rawArgs);
      refuseUnknown(rawArgs, args["_"]);
      const given: Readonly<Record<string, unknown>> = args;
      const flags = Object.fromEntries(flagged.map(({ flag }) => [flag, toText(given[flag])]));
      const settings = readSettings({
        flags,
        demo: given["demo"] === true,
        environment: program.environment,
        isTerminal: program.isTerminal,
      });
      // Loaded late, so that a help and a refused option are quick.
      const { runServer } = await import("../run-server.ts");
      await runServer({ settings, program });
    },
  });
  return {
    help: describeOptions(),
    async run(rawArguments) {
      await runCommand(command, { rawArgs: completeSwitches(rawArguments) });
      return 0;
    },
  };
}

/** Adds the values of switches, so that `--standard-webhooks` means `--standard-webhooks=on`. */
export function completeSwitches(commandLine: readonly string[]): string[] {
  return commandLine.map((argument, index) => {
    const option = flagged.find(({ flag }) => `--${flag}` === argument);
    const next = commandLine[index + 1] ?? "";
    if (option?.bare === undefined || option.parse(next) !== undefined) return argument;
    return `${argument}=${option.bare}`;
  });
}

/** True for an option of this command, such as `--port` or `--port=80`. */
export function isServeOption(argument: string): boolean {
  const name = /^--([^=]+)/u.exec(argument)?.[1];
  return name === "demo" || flagged.some(({ flag }) => flag === name);
}

function toArguments(): ArgsDef {
  const definitions: ArgsDef = {};
  for (const { flag, description: text } of flagged)
    definitions[flag] = { type: "string", description: text };
  definitions["demo"] = {
    type: "boolean",
    description: "Seed a demo account and show a delivery from end to end",
  };
  return definitions;
}

/**
 * citty would read a value that begins with a dash as another option, and would report that one. A missing last value
 * is refused later.
 */
function refuseWithoutValue(rawArguments: readonly string[]): void {
  const needValues = new Set(flagged.map(({ flag }) => `--${flag}`));
  rawArguments.forEach((argument, index) => {
    const next = rawArguments[index + 1];
    if (!needValues.has(argument) || next?.startsWith("-") !== true) return;
    throw new ServerError(
      "invalid_option",
      `${argument} needs a value, but ${JSON.stringify(next.split("=", 1)[0])} looks like another option. Write a value that begins with a dash as ${argument}=VALUE.`,
    );
  });
}

/**
 * citty ignores unknown options and accepts any value for a switch. This refuses both, so that a typing error is
 * noticed.
 */
function refuseUnknown(rawArguments: readonly string[], words: unknown): void {
  const known = new Set([...flagged.map(({ flag }) => flag), "demo"]);
  for (const argument of rawArguments) {
    const [, demo] = /^--(?:no-)?demo=(.*)$/su.exec(argument) ?? [];
    if (demo !== undefined && demo !== "true" && demo !== "false") {
      throw new ServerError(
        "invalid_option",
        `--demo takes no value, or =true or =false, but got ${JSON.stringify(demo)}.`,
      );
    }
    const name = /^--?(?:no-(?=demo$))?([^=]*)/u.exec(argument)?.[1];
    if (name === undefined || known.has(name)) continue;
    throw new ServerError(
      "invalid_option",
      `unknown option ${JSON.stringify(argument.split("=", 1)[0])}${suggestOption(name, [...known])}. See \`hookwright serve --help\`.`,
    );
  }
  const [word] = Array.isArray(words) ? words : [];
  if (word !== undefined) {
    throw new ServerError(
      "invalid_option",
      `unexpected argument ${JSON.stringify(hidePassword(word))}. Every value needs an option name before it. See \`hookwright serve --help\`.`,
    );
  }
}

/** A flag without a value is `true` or an empty text. Both are refused as empty. */
function toText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === "string" ? value : "";
}
