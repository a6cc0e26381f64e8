import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface ProgramOptions {
  readonly args?: readonly string[];
  /** Options of Node.js. @default those of this process */
  readonly execArgv?: readonly string[];
}

/** Starts a program in a separate process. Only one request at a time may be in progress. */
export function startProgram(program: URL, { args = [], execArgv = process.execArgv }: ProgramOptions = {}) {
  const child = fork(fileURLToPath(program), [...args], { execArgv: [...execArgv] });
  const ended = once(child, "exit").then(([code]) => code);

  /** @throws Error if the process exits instead */
  async function nextMessage() {
    const failed = ended.then((code) => {
      throw new Error(`${program.pathname} exited with ${code}`);
    });
    const [message] = await Promise.race([once(child, "message"), failed]);
    return message;
  }

  return {
    /** Waits for its next unrequested message. */
    nextMessage,
    /** Sends a message and waits for the response. */
    request(message: string | number) {
      child.send(message);
      return nextMessage();
    },
    signal: (name: NodeJS.Signals) => void child.kill(name),
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
