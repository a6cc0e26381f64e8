import { inspect } from "node:util";

const longestCauseChain = 8;

/**
 * The stack of an error and of its causes, for the log only. It never throws, whatever a program has thrown: nothing else may log
 * that error.
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

/** A program may throw anything, also an object without a prototype, which `String` cannot convert. */
function describeThrown(thrown: unknown): string {
  return typeof thrown === "object" ? inspect(thrown) : String(thrown);
}
