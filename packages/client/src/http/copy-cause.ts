import type { Redact } from "./redact.ts";

const maxCauseChain = 5;

/**
 * Copies only the name, message, stack, `code` and causes of a thrown value. Errors of fetch layers contain
 * the request with the key in properties that loggers print.
 */
export function copyCause(thrown: unknown, redact: Redact, depth = 0): Error | undefined {
  if (thrown === undefined || thrown === null || depth === maxCauseChain) return undefined;
  const { name, message, stack, code, cause } = readError(thrown);
  const innerCause = copyCause(cause, redact, depth + 1);
  const copy = new Error(redact(message), innerCause === undefined ? undefined : { cause: innerCause });
  Object.defineProperty(copy, "name", { value: redact(name), configurable: true, writable: true });
  if (stack !== undefined)
    Object.defineProperty(copy, "stack", { value: redact(stack), configurable: true, writable: true });
  return code === undefined ? copy : Object.assign(copy, { code: redact(code) });
}

/** Returns the messages of an error and its causes. Node's own message is only `fetch failed`. */
export function describeCause(error: Error | undefined): string {
  const messages: string[] = [];
  let current: unknown = error;
  while (current instanceof Error) {
    if (current.message !== "") messages.push(current.message);
    current = current.cause;
  }
  return messages.join(": ");
}

/** Reads by shape, because the error may be from another realm. */
function readError(thrown: unknown) {
  if (typeof thrown !== "object" || thrown === null)
    return { name: "Error", message: String(thrown), stack: undefined, code: undefined, cause: undefined };
  const textOf = (field: string): string | undefined => {
    const value: unknown = Reflect.get(thrown, field);
    return typeof value === "string" ? value : undefined;
  };
  const code = textOf("code");
  // An AggregateError for several addresses has an empty message.
  const errors: unknown = Reflect.get(thrown, "errors");
  const [first]: unknown[] = Array.isArray(errors) ? errors : [];
  return {
    name: textOf("name") ?? "Error",
    message: textOf("message") ?? "",
    stack: textOf("stack"),
    code,
    cause: Reflect.get(thrown, "cause") ?? first,
  };
}
