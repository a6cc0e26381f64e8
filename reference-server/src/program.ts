/** What the server takes of the process it runs in. `run-process.ts` alone makes one; tests make their own. */
export interface Program {
  /** Without the interpreter and the script. */
  readonly commandLine: readonly string[];
  readonly environment: Environment;
  readonly processId: number;
  /** Whether somebody reads standard output on a terminal. */
  readonly isTerminal: boolean;
  /** To standard output. */
  print(text: string): void;
  /** To standard output as it is; resolves when it has gone. */
  write(text: string): Promise<void>;
  /** Standard input. */
  read(): AsyncIterable<Uint8Array>;
  /** To standard error. */
  complain(text: string): void;
  onSignal(listener: (signal: StopSignal) => void): void;
  /** The terminal has gone, which ends a program that does not listen. */
  onHangUp(listener: () => void): void;
  exit(code: number): void;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export type StopSignal = "SIGINT" | "SIGTERM";
