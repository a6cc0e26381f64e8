import { inspect } from "node:util";

const longestCauseChain = 8;

/**
 * The stack of an error and of its causes, for the log alone. It never throws itself, whatever a program has thrown: whoever
 * logs a fault may be the last to see it.
 */
export function describeError(error: unknown): string {
  try {
    return describeChain(error);
  } catch {
    return "something that cannot be described: reading it throws";
  }
}

function describeChain(error: unknown): string {
  const lines: string[] = [];
  let current = error;
  for (let depth = 0; depth < longestCauseChain && current !== undefined; depth += 1) {
    lines.push(current instanceof Error ? (current.stack ?? current.message) : describeThrown(current));
    current = current instanceof Error ? current.cause : undefined;
  }
  return lines.join("\ncaused by: ");
}

/** Whatever a program throws: text cannot be made of an object without a prototype. */
function describeThrown(thrown: unknown): string {
  return typeof thrown === "object" ? inspect(thrown) : String(thrown);
}
