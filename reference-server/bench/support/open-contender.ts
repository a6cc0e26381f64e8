import type { ContenderFigures, ContenderName } from "./contenders.ts";
import { startProgram } from "./program.ts";

export interface OpenContender extends AsyncDisposable {
  measure(deliveries: number): Promise<ContenderFigures>;
}

/** Starts a contender and its receiver in separate processes. It is idle between measurements. */
export function openContender(name: ContenderName, serverUrl = ""): OpenContender {
  const program = startProgram(new URL("contender-process.ts", import.meta.url), { args: [name, serverUrl] });
  return {
    measure: (deliveries) => program.request(deliveries),
    [Symbol.asyncDispose]: program[Symbol.asyncDispose],
  };
}
