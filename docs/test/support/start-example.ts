import { fileURLToPath } from "node:url";
import { startProgram } from "./start-program.ts";
import type { RunningProgram } from "./start-program.ts";

const sources = new URL("../../../reference-server/test/support/resolve-sources.ts", import.meta.url);

/** Starts an example as a reader would, in a folder where that is given. */
export function startExample(
  name: string,
  environment: Readonly<Record<string, string>> = {},
  folder?: string,
): Promise<RunningProgram> {
  const file = fileURLToPath(new URL(`../../examples/${name}.ts`, import.meta.url));
  const program = { words: ["--import", sources.href, file], environment };
  return startProgram(folder === undefined ? program : { ...program, folder });
}
