import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { ContenderFigures, ContenderName } from "./contenders.ts";

export interface OpenContender extends AsyncDisposable {
  measure(deliveries: number): Promise<ContenderFigures>;
}

/** Starts a contender in a process of its own, with a receiver of its own. It waits when it is not asked. */
export function openContender(name: ContenderName, redisUrl = ""): OpenContender {
  const child = fork(fileURLToPath(new URL("contender-process.ts", import.meta.url)), [name, redisUrl]);
  const ended = once(child, "exit").then(([code]) => code);
  return {
    async measure(deliveries) {
      child.send(deliveries);
      const answered = once(child, "message");
      const failed = ended.then((code) => {
        throw new Error(`the process of ${name} has ended with ${code}`);
      });
      const [figures] = await Promise.race([answered, failed]);
      return figures;
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
