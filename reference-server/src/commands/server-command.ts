import type { CommandUsage, Program } from "@hookwright/cli";

/** The texts of the options that were given. A given switch is `on`. */
export type Given = Readonly<Record<string, string | undefined>>;

/** A command of the server. Its name and its description are in `server-commands.ts`. */
export interface ServerCommand extends Pick<CommandUsage, "options" | "entries" | "notes"> {
  /** Adds what may be left out of a command line. @default nothing */
  readonly complete?: (commandLine: readonly string[]) => readonly string[];
  /**
   * Returns the exit code, if it is not 0.
   *
   * @throws {ServerError} its message is shown
   */
  run(given: Given, program: Program): Promise<number | undefined>;
}
