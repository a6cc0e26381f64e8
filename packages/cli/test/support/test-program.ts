import type { Environment, Program } from "../../src/terminal/program.ts";

export interface TestProgram extends Program {
  readonly printed: string[];
  readonly complained: string[];
  press(key: string): void;
  send(signal: "SIGINT" | "SIGTERM"): void;
  /** Closes standard output, as a reader does. */
  closeOutput(): void;
}

/** A process with a keyboard that only records its calls. */
export function createTestProgram({
  environment = {},
  isTerminal = false,
  hasKeyboard = false,
  answers = [],
}: {
  readonly environment?: Environment;
  readonly isTerminal?: boolean;
  readonly hasKeyboard?: boolean;
  readonly answers?: readonly string[];
} = {}): TestProgram {
  const printed: string[] = [];
  const complained: string[] = [];
  const signals: ((signal: "SIGINT" | "SIGTERM") => void)[] = [];
  const outputEnds: (() => void)[] = [];
  const keys = new Set<(key: string) => void>();
  const open = [...answers];
  return {
    commandLine: [],
    processId: process.pid,
    environment: { XDG_CONFIG_HOME: "/nonexistent", ...environment },
    isTerminal,
    keyboard: {
      isTerminal: hasKeyboard,
      onKey(listener) {
        keys.add(listener);
        return () => void keys.delete(listener);
      },
      async ask(question) {
        complained.push(question);
        return open.shift() ?? "";
      },
    },
    print: (text) => void printed.push(text),
    log: (text) => void printed.push(text),
    write: async (text) => void printed.push(text),
    onOutputEnd: (listener) => void outputEnds.push(listener),
    complain: (text) => void complained.push(text),
    async *read() {},
    onSignal: (listener) => void signals.push(listener),
    onHangUp: () => {},
    exit: () => {},
    printed,
    complained,
    press: (key) => keys.forEach((listener) => listener(key)),
    closeOutput: () => outputEnds.forEach((listener) => listener()),
    send: (signal) => signals.forEach((listener) => listener(signal)),
  };
}
