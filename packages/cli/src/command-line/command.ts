import type { ApiClient } from "../api/api-client.ts";
import type { Resolved, ResolveOptions } from "../credentials/resolve.ts";
import type { Program } from "../terminal/program.ts";
import type { Output } from "../terminal/output.ts";

export interface Option {
  /** Without the dashes. */
  readonly flag: string;
  /** The placeholder for its value in the help, such as `FILE`. A switch has none. */
  readonly value?: string;
  readonly description: string;
  /** True if it may be given several times. */
  readonly repeats?: boolean;
  /** True if a missing value is read as an empty one, which the command refuses itself. */
  readonly mayBeEmpty?: boolean;
}

export interface Word {
  /** `EVENT` in the help. */
  readonly name: string;
  readonly description: string;
  /** The values to suggest and to complete, if they are known. */
  readonly values?: readonly string[];
  /** True if it may be left out. Only the last ones may. */
  readonly isOptional?: boolean;
}

export interface Example {
  readonly command: string;
  readonly explanation: string;
}

/** What the help of a command shows, and what its command line may contain. */
export interface CommandUsage {
  readonly name: string;
  /** One line for the list of commands. */
  readonly description: string;
  /** The words after the name. @default none */
  readonly words?: readonly Word[];
  /** May contain one of the common options, with a description for this command. */
  readonly options: readonly Option[];
  /** What the help lists in place of the options: `--port, PORT` and what it does. */
  readonly entries?: readonly (readonly [label: string, text: string])[];
  /** Options that are accepted, and in the help, after its own. @default `--help` */
  readonly common?: readonly Option[];
  readonly examples?: readonly Example[];
  /** Paragraphs at the end of the help. */
  readonly notes?: readonly string[];
}

/** A command of a program. */
export interface ListedCommand extends Pick<CommandUsage, "name" | "description" | "words"> {
  /** Its heading in the list of commands. */
  readonly group: string;
  /** For completion. Undefined if they are known only to the command. */
  readonly options?: readonly Option[];
  /** Runs it with the arguments after its name, and returns the exit status. */
  start(program: Program, commandLine: readonly string[], all: readonly ListedCommand[]): Promise<number>;
}

/** A command for integrators. */
export interface Command extends Omit<CommandUsage, "common"> {
  readonly group: "Account" | "Develop" | "Deliveries" | "Operator" | "Tools";
  /** The common options that mean something for this command. The others are accepted too. @default all */
  readonly common?: readonly string[];
  /** Returns the exit status. */
  run(context: CommandContext): Promise<number>;
}

/** The options that were given. They are known, and values are not empty. */
export interface GivenOptions {
  has(flag: string): boolean;
  /** The value. Undefined if the option was not given. */
  get(flag: string): string | undefined;
  getAll(flag: string): readonly string[];
}

export interface CommandContext {
  readonly command: Pick<Command, "name">;
  /** At least as many as the command requires. */
  readonly words: readonly string[];
  readonly options: GivenOptions;
  readonly program: Program;
  readonly output: Output;
  /** All commands of the program, for completion. */
  readonly commands: readonly ListedCommand[];
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Waits. Rejects if the signal is aborted before. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** The server and the credential of this call. */
  resolve(options?: ResolveOptions): Promise<Resolved>;
  /**
   * A client for the server and the credential of this call.
   *
   * @throws {CliError} `credential_missing`
   */
  connect(): Promise<ApiClient>;
  /** A client without a credential, or with the given one. */
  connectTo(server: string, token: string | undefined): ApiClient;
}

export const helpOption: Option = { flag: "help", description: "Print this help" };

/** The options that every command for integrators accepts. A help lists those that mean something for its command. */
export const commonOptions: readonly Option[] = [
  {
    flag: "server",
    value: "URL",
    description:
      "The server (HOOKWRIGHT_SERVER). Default: http://127.0.0.1:3000, or without a key that of the last login",
  },
  {
    flag: "key",
    value: "KEY",
    description: "The API key (HOOKWRIGHT_API_KEY). Default: the login of the server",
  },
  {
    flag: "profile",
    value: "NAME",
    description: "Use the logins of this profile (HOOKWRIGHT_PROFILE), see `hookwright profiles`",
  },
  { flag: "json", description: "Print one JSON document" },
  helpOption,
];

/** The options of a command that its help lists, its own first. */
export function listOptions({ options, common = [helpOption] }: Pick<CommandUsage, "options" | "common">) {
  const own = new Set(options.map(({ flag }) => flag));
  return [...options, ...common.filter(({ flag }) => !own.has(flag))];
}

/** What the help of a command for integrators shows. */
export function toUsage({ common, ...command }: Command): CommandUsage {
  return {
    ...command,
    common: commonOptions.filter(({ flag }) => flag === "help" || common?.includes(flag) !== false),
  };
}
