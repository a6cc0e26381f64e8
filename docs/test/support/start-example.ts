import { fileURLToPath } from "node:url";
import { startProgram } from "./start-program.ts";
import type { RunningProgram } from "./start-program.ts";

interface Place {
  /** The working directory. @default the working directory of the tests */
  readonly folder?: string;
  /** Options of Node. @default none */
  readonly options?: readonly string[];
  /** @default a free port */
  readonly port?: number;
}

/** Starts an example in a process of its own, with the built packages. */
export function startExample(
  name: string,
  environment: Readonly<Record<string, string>> = {},
  { options = [], ...place }: Place = {},
): Promise<RunningProgram> {
  const file = fileURLToPath(new URL(`../../examples/${name}.ts`, import.meta.url));
  return startProgram({ args: [...options, file], environment, ...place });
}
