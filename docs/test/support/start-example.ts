import { fileURLToPath } from "node:url";
import { startProgram } from "./start-program.ts";
import type { RunningProgram } from "./start-program.ts";

const sources = new URL("../../../reference-server/test/support/resolve-sources.ts", import.meta.url);

/** Starts an example as a reader would. */
export function startExample(
  name: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningProgram> {
  const file = fileURLToPath(new URL(`../../examples/${name}.ts`, import.meta.url));
  return startProgram({ words: ["--import", sources.href, file], environment });
}
