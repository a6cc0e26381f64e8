import type { ContenderFigures, ContenderName } from "./contenders.ts";
import { startProgram } from "./program.ts";

export interface OpenContender extends AsyncDisposable {
  measure(deliveries: number): Promise<ContenderFigures>;
}

/** Starts a contender in a process of its own, with a receiver of its own. It waits when it is not asked. */
export function openContender(name: ContenderName, redisUrl = ""): OpenContender {
  const program = startProgram(new URL("contender-process.ts", import.meta.url), { args: [name, redisUrl] });
  return {
    measure: (deliveries) => program.ask(deliveries),
    [Symbol.asyncDispose]: program[Symbol.asyncDispose],
  };
}
