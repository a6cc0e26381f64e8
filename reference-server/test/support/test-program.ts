import type { Environment, Program, StopSignal } from "@hookwright/cli";

export interface TestProgram extends Program {
  readonly printed: string[];
  readonly complained: string[];
  /** The output written with `write`, piece by piece. */
  readonly written: string[];
  /** The exit codes that the program requested. */
  readonly exits: number[];
  send(signal: StopSignal): void;
  /** Simulates a closed terminal. */
  hangUp(): void;
}

/** A process that only records its calls. */
export function createTestProgram({
  commandLine = [],
  environment = {},
  input = "",
}: {
  readonly commandLine?: readonly string[];
  readonly environment?: Environment;
  readonly input?: string;
}): TestProgram {
  const printed: string[] = [];
  const complained: string[] = [];
  const written: string[] = [];
  const exits: number[] = [];
  const listeners: ((signal: StopSignal) => void)[] = [];
  const hangUpListeners: (() => void)[] = [];
  return {
    commandLine,
    environment,
    processId: process.pid,
    isTerminal: false,
    keyboard: { isTerminal: false, onKey: () => () => {}, ask: async () => "" },
    print: (text) => void printed.push(text),
    log: (text) => void printed.push(text),
    onOutputEnd: () => {},
    write: async (text) => void written.push(text),
    async *read() {
      yield new TextEncoder().encode(input);
    },
    complain: (text) => void complained.push(text),
    onSignal: (listener) => void listeners.push(listener),
    onHangUp: (listener) => void hangUpListeners.push(listener),
    exit: (code) => void exits.push(code),
    printed,
    complained,
    written,
    exits,
    send: (signal) => listeners.forEach((listener) => listener(signal)),
    hangUp: () => hangUpListeners.forEach((listener) => listener()),
  };
}
