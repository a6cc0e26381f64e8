import type { Keyboard } from "./keyboard.ts";

/**
 * The process as the commands see it. `run-process.ts` and the standalone server create a real one. Tests create their
 * own.
 */
export interface Program {
  /** The arguments without the interpreter and the script. */
  readonly commandLine: readonly string[];
  readonly environment: Environment;
  /** True if standard output is a terminal. */
  readonly isTerminal: boolean;
  readonly keyboard: Keyboard;
  /** Writes a line to standard output. */
  print(text: string): void;
  /** Calls the listener once when nobody reads standard output any more, or when it cannot be written. */
  onOutputEnd(listener: () => void): void;
  /** Writes a line to standard error. */
  complain(text: string): void;
  /** Standard input. */
  read(): AsyncIterable<Uint8Array>;
  onSignal(listener: (signal: "SIGINT" | "SIGTERM") => void): void;
}

export type Environment = Readonly<Record<string, string | undefined>>;
