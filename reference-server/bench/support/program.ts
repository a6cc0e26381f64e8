import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface ProgramOptions {
  readonly args?: readonly string[];
  /** Options of Node.js. @default those of this process */
  readonly execArgv?: readonly string[];
}

/** Starts a program in a process of its own. Whoever asks it waits for the answer before asking again. */
export function startProgram(program: URL, { args = [], execArgv = process.execArgv }: ProgramOptions = {}) {
  const child = fork(fileURLToPath(program), [...args], { execArgv: [...execArgv] });
  const ended = once(child, "exit").then(([code]) => code);

  /** @throws Error where it ends instead */
  async function said() {
    const failed = ended.then((code) => {
      throw new Error(`${program.pathname} has ended with ${code}`);
    });
    const [message] = await Promise.race([once(child, "message"), failed]);
    return message;
  }

  return {
    /** What it says next without having been asked. */
    said,
    /** What it answers. */
    ask(message: string | number) {
      child.send(message);
      return said();
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
