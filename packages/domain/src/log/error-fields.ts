/** The description of an error in a log line. */
export interface ErrorFields {
  /** The messages of the error and of its causes. */
  readonly error: string;
  /** The stacks of the error and of its causes. Omitted for a thrown value without a stack. */
  readonly stack?: string;
}

const longestCauseChain = 8;

/** Describes an error. It never throws, because the log line may be the only trace of the error. */
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
  if (!(thrown instanceof Error))
    return { message: `a thrown value that is not an Error: ${describeValue(thrown)}` };
  const own = thrown.message || thrown.name;
  if (!(thrown instanceof AggregateError)) return { message: own, stack: thrown.stack };
  // Node's error has no message if all addresses of a host are unreachable.
  const inner = thrown.errors.slice(0, longestCauseChain).map((error: unknown) => describeOne(error).message);
  return { message: [own, ...inner].join("; "), stack: thrown.stack };
}

const longestValue = 500;

/**
 * Returns only the name, code and message of an object, because others may contain credentials, for example
 * request headers.
 */
function describeValue(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null) return String(thrown).slice(0, longestValue);
  const named = ["name", "code", "message"].flatMap((field) => {
    const value: unknown = Reflect.get(thrown, field);
    return typeof value === "string" || typeof value === "number" ? [`${field}: ${value}`] : [];
  });
  return (named.length === 0 ? "an object" : named.join(", ")).slice(0, longestValue);
}
