import { fileURLToPath } from "node:url";
import { startProgram } from "./start-program.ts";
import type { RunningProgram } from "./start-program.ts";

export const sources = new URL("../../../reference-server/test/support/resolve-sources.ts", import.meta.url);

interface Place {
  /** @default that of the tests */
  readonly folder?: string;
  /** Options of Node. @default none */
  readonly options?: readonly string[];
}

/** Starts an example as a reader would. */
export function startExample(
  name: string,
  environment: Readonly<Record<string, string>> = {},
  { options = [], ...place }: Place = {},
): Promise<RunningProgram> {
  const file = fileURLToPath(new URL(`../../examples/${name}.ts`, import.meta.url));
  return startProgram({ words: [...options, "--import", sources.href, file], environment, ...place });
}
