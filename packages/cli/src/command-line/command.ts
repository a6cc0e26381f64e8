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
}

export interface Word {
  /** `EVENT` in the help. */
  readonly name: string;
  readonly description: string;
  /** The values to suggest and to complete, if they are known. */
  readonly values?: readonly string[];
}

export interface Example {
  readonly command: string;
  readonly explanation: string;
}

export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly description: string;
  readonly group: "Account" | "Develop" | "Deliveries" | "Operator" | "Tools";
  /** The required words after the name. */
  readonly words: readonly Word[];
  /** May contain one of the common options, with a description for this command. */
  readonly options: readonly Option[];
  /** The common options that mean something for this command. @default all */
  readonly common?: readonly string[];
  readonly examples: readonly Example[];
  /** Paragraphs at the end of the help. */
  readonly notes?: readonly string[];
  /** Returns the exit status. */
  run(context: CommandContext): Promise<number>;
}

/** A command in the list of commands. Options and words are undefined for the commands of another program. */
export interface ListedCommand {
  readonly name: string;
  readonly description: string;
  readonly group: string;
  readonly options?: readonly Option[];
  readonly common?: readonly string[];
  readonly words?: readonly Word[];
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
  /** As many as the command requires. */
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

/** The options that every command accepts. A help lists those that mean something for its command. */
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
  { flag: "json", description: "Print one JSON document" },
  { flag: "help", description: "Print this help" },
];

/** The options of a command that mean something, its own first. */
export function listOptions({
  options,
  common = commonOptions.map(({ flag }) => flag),
}: Pick<Command, "options" | "common">): readonly Option[] {
  const own = new Set(options.map(({ flag }) => flag));
  const others = commonOptions.filter(
    ({ flag }) => !own.has(flag) && (flag === "help" || common.includes(flag)),
  );
  return [...options, ...others];
}
