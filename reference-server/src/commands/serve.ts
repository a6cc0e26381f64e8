import { defineCommand } from "citty";
import type { ArgsDef } from "citty";
import { describeOptions } from "../options/describe-options.ts";
import { suggestOption } from "../options/suggest-option.ts";
import type { Option } from "../options/option.ts";
import { options } from "../options/options.ts";
import { readSettings } from "../options/read-settings.ts";
import type { Program } from "../program.ts";
import { runServer } from "../run-server.ts";
import { ServerError } from "../server-error.ts";
import { hidePassword } from "../storage-location.ts";

const flagged = Object.values(options).flatMap((option: Option<unknown>) =>
  option.flag === undefined ? [] : [{ ...option, flag: option.flag }],
);

const description = "Serve the integration API and deliver webhooks";

/** `hookwright serve`: runs until a signal ends it. */
export function createServeCommand(program: Program) {
  const command = defineCommand({
    meta: { name: "serve", description },
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
      await runServer({ settings, program });
    },
  });
  return { command, description, help: describeOptions() };
}

/** Whether an argument such as `--port` or `--port=80` is one of this command's. */
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

/** citty takes what begins with a dash for another option, and would blame that one. One at the end is refused as empty. */
function refuseWithoutValue(rawArguments: readonly string[]): void {
  const needValues = new Set(flagged.map(({ flag }) => `--${flag}`));
  rawArguments.forEach((argument, index) => {
    const next = rawArguments[index + 1];
    if (!needValues.has(argument) || next?.startsWith("-") !== true) return;
    throw new ServerError(
      "invalid_option",
      `${argument} needs a value, and ${JSON.stringify(next.split("=", 1)[0])} reads as another option. A value that begins with a dash is written ${argument}=VALUE.`,
    );
  });
}

/** citty lets pass what it does not know, and takes any value of a switch for yes: a mistyped option must not be lost without a word. */
function refuseUnknown(rawArguments: readonly string[], words: unknown): void {
  const known = new Set([...flagged.map(({ flag }) => flag), "demo"]);
  for (const argument of rawArguments) {
    const [, demo] = /^--(?:no-)?demo=(.*)$/su.exec(argument) ?? [];
    if (demo !== undefined && demo !== "true" && demo !== "false") {
      throw new ServerError(
        "invalid_option",
        `--demo is given without a value, or as --demo=true or --demo=false; ${JSON.stringify(demo)} is neither.`,
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
      `unexpected argument ${JSON.stringify(hidePassword(word))}: every option has a name. See \`hookwright serve --help\`.`,
    );
  }
}

/** A flag without a value comes as `true` or as an empty text; both are refused as empty. */
function toText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === "string" ? value : "";
}
