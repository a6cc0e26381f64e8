import type { Option } from "./option.ts";
import { options } from "./options.ts";

/** The part of the help that lists the environment variables. */
export function describeVariables(): string {
  const all: readonly Option<unknown>[] = Object.values(options);
  const width = Math.max(...all.map(({ variable }) => variable.length));
  const lines = all.map((option) => `  ${option.variable.padStart(width)}  ${describe(option)}`);
  return ["VARIABLES", "", ...lines, "", "A variable that is set but empty counts as unset."].join("\n");
}

function describe({ flag, description, shownDefault }: Option<unknown>): string {
  if (flag !== undefined) return `as --${flag}, which wins`;
  return shownDefault === undefined ? description : `${description} (Default: ${shownDefault})`;
}
