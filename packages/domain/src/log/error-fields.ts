/** How a log line describes an error. */
export interface ErrorFields {
  /** The messages of the error and of its causes. */
  readonly error: string;
  /** The stacks of the error and of its causes. Missing for a thrown value that has none. */
  readonly stack?: string;
}

const longestCauseChain = 8;

/** It never throws, whatever a program has thrown: the log line may be the only trace of the error. */
export function toErrorFields(error: unknown): ErrorFields {
  try {
    return describeChain(error);
  } catch {
    return { error: "an error that cannot be described: reading it throws" };
  }
}

function describeChain(error: unknown): ErrorFields {
  const messages: string[] = [];
  const stacks: string[] = [];
  let current = error;
  for (let depth = 0; depth < longestCauseChain && (depth === 0 || current !== undefined); depth += 1) {
    const { message, stack } = describeOne(current);
    // A wrapping error often repeats the message of its cause.
    if (!messages.some((each) => each.includes(message))) messages.push(message);
    stacks.push(stack ?? message);
    current = current instanceof Error ? current.cause : undefined;
  }
  const described = { error: messages.join("; caused by: ") };
  return error instanceof Error ? { ...described, stack: stacks.join("\ncaused by: ") } : described;
}

function describeOne(thrown: unknown): { readonly message: string; readonly stack?: string | undefined } {
  if (thrown instanceof Error) return { message: thrown.message || thrown.name, stack: thrown.stack };
  const text = typeof thrown === "object" && thrown !== null ? JSON.stringify(thrown) : String(thrown);
  return { message: `a thrown value that is not an Error: ${text}` };
}
