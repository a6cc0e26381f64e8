/** The keys and the answers of a person at the terminal. */
export interface Keyboard {
  /** True if standard input is a terminal. Without one, nobody can answer. */
  readonly isTerminal: boolean;
  /** Calls the listener for each key, without the need for Return, until the returned function is called. */
  onKey(listener: (key: string) => void): () => void;
  /**
   * Asks for one line. A hidden answer is not shown. An answer that `isSecret` recognises is hidden from then on.
   *
   * @throws the reason of the signal when it is aborted. The terminal is then as before
   */
  ask(question: string, options: AskOptions): Promise<string>;
}

export interface AskOptions {
  readonly hidden: boolean;
  /** Whether what has been typed so far is a secret. Asked before each key. @default never */
  readonly isSecret?: (answer: string) => boolean;
  readonly signal?: AbortSignal;
}

/** Standard input of a process, as far as a keyboard needs it. */
export interface KeyboardInput extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
  ref?(): unknown;
  unref?(): unknown;
}

const interrupt = "\u0003";
const endOfInput = "\u0004";
const backspaces = new Set(["\u007f", "\b"]);

/**
 * Reads keys from standard input, and shows questions on standard error.
 *
 * @param interrupted called for Ctrl-C, which sends no signal while keys are read one by one
 * @example
 * const keyboard = createKeyboard(process.stdin, process.stderr, () => process.kill(process.pid, "SIGINT"));
 */
export function createKeyboard(
  input: KeyboardInput,
  output: NodeJS.WritableStream,
  interrupted: () => void,
): Keyboard {
  const onKey = (listener: (key: string) => void): (() => void) => {
    let isStopped = false;
    const onData = (data: Buffer | string): void => {
      for (const key of String(data)) {
        // The rest of a paste does not belong to this listener any more.
        if (isStopped) return;
        if (key === interrupt) interrupted();
        else listener(key);
      }
    };
    input.setRawMode?.(true);
    input.on("data", onData);
    input.resume();
    return () => {
      if (isStopped) return;
      isStopped = true;
      input.off("data", onData);
      input.setRawMode?.(false);
      input.pause();
    };
  };
  return {
    isTerminal: input.isTTY === true,
    onKey,
    ask: (question, { hidden, isSecret = () => false, signal }) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason);
        output.write(question);
        let answer = "";
        const finish = (): void => {
          stop();
          signal?.removeEventListener("abort", onAbort);
          output.write("\n");
        };
        const onAbort = (): void => {
          finish();
          reject(signal?.reason);
        };
        const stop = onKey((key) => {
          if (key === "\r" || key === "\n" || key === endOfInput) {
            finish();
            resolve(answer);
          } else if (backspaces.has(key)) {
            if (answer !== "" && !hidden) output.write("\b \b");
            answer = [...answer].slice(0, -1).join("");
          } else if (key >= " ") {
            if (!hidden) output.write(isSecret(answer) ? "*" : key);
            answer += key;
          }
        });
        signal?.addEventListener("abort", onAbort, { once: true });
      }),
  };
}
