import { readFileSync, statSync } from "node:fs";
import type { Environment } from "@hookwright/cli";
import type { Option } from "./option.ts";

const maximumBytes = 65_536;

export interface SecretFiles {
  /** The environment with the content of the files in place of the variables. */
  readonly environment: Environment;
  readonly problems: readonly string[];
}

/** The variable that names a file with the value, such as `HOOKWRIGHT_SECRET_FILE`. Undefined: the option has none. */
export function fileVariableOf({
  variable,
  inFile,
}: Pick<Option<unknown>, "variable" | "inFile">): string | undefined {
  return inFile === true ? `${variable}_FILE` : undefined;
}

/**
 * Reads the secrets that are given as files, as container platforms and systemd do. White space around the content is
 * removed.
 */
export function readSecretFiles(options: readonly Option<unknown>[], environment: Environment): SecretFiles {
  const problems: string[] = [];
  const texts: Record<string, string> = {};
  for (const option of options) {
    const name = fileVariableOf(option);
    const path = name === undefined ? "" : (environment[name] ?? "").trim();
    if (name === undefined || path === "") continue;
    if ((environment[option.variable] ?? "").trim() !== "") {
      problems.push(`${name} and ${option.variable} are both set. Unset one of them.`);
      continue;
    }
    try {
      const text = readText(path);
      if (text === "" && option.fileMayBeEmpty !== true) throw new RangeError("is empty");
      texts[option.variable] = text;
    } catch (error) {
      problems.push(`${name}: ${path} ${error instanceof Error ? error.message : String(error)}.`);
    }
  }
  return { environment: { ...environment, ...texts }, problems };
}

function readText(path: string): string {
  try {
    if (statSync(path).size > maximumBytes) throw new RangeError(`has more than ${maximumBytes} bytes`);
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new Error(`cannot be read (${code})`, { cause: error });
  }
}
