import { ResolveError } from "./guarded-lookup.ts";

/** As many files are open as this process may have, or this machine. */
const codes: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE"]);

/** Whether no connection was made because nothing more can be opened here: no receiver can do anything about that. */
export function isLackOfDescriptors(error: unknown): boolean {
  if (error instanceof ResolveError) return isLackOfDescriptors(error.cause);
  // Of several addresses each was tried.
  if (error instanceof AggregateError) return error.errors.some(isLackOfDescriptors);
  return error instanceof Error && "code" in error && codes.has(error.code);
}
