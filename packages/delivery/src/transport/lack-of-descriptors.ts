import { isDescriptorShortage } from "./descriptor-shortage.ts";
import { ResolveError } from "./guarded-lookup.ts";

/** Whether no connection was made because nothing more can be opened here: no receiver can do anything about that. */
export function isLackOfDescriptors(error: unknown): boolean {
  if (error instanceof ResolveError) return isLackOfDescriptors(error.cause);
  // Of several addresses each was tried.
  if (error instanceof AggregateError) return error.errors.some(isLackOfDescriptors);
  return isDescriptorShortage(error);
}
