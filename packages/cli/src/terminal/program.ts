import type { Keyboard } from "./keyboard.ts";

/** The process as the commands of both programs see it. `run-process.ts` creates a real one. Tests create their own. */
export interface Program {
  /** The arguments without the interpreter and the script. */
  readonly commandLine: readonly string[];
  readonly environment: Environment;
  readonly processId: number;
  /** True if standard output is a terminal. */
  readonly isTerminal: boolean;
  /** Standard input, if a person uses it. */
  readonly keyboard: Keyboard;
  /** Writes a line to standard output. */
  print(text: string): void;
  /** Writes a line of the log to standard output. Its loss is no failure. */
  log(text: string): void;
  /** Writes to standard output without a line end. Resolves when the data is written. */
  write(text: string): Promise<void>;
  /** Calls the listener once when nobody reads standard output any more, or when it cannot be written. */
  onOutputEnd(listener: () => void): void;
  /** Writes a line to standard error. */
  complain(text: string): void;
  /** Standard input. */
  read(): AsyncIterable<Uint8Array>;
  onSignal(listener: (signal: StopSignal) => void): void;
  /** Called when the terminal closes (SIGHUP). Without a listener, this ends the program. */
  onHangUp(listener: () => void): void;
  exit(code: number): void;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export type StopSignal = "SIGINT" | "SIGTERM";
