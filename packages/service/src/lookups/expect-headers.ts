import { readCustomHeaders, validationFailed } from "@hookwright/domain";
import type { CustomHeader } from "@hookwright/domain";

/** The owner's own headers of a webhook. @throws HookwrightError `validation_failed` */
export function expectHeaders(fields: Readonly<Record<string, unknown>>): readonly CustomHeader[] {
  const read = readCustomHeaders(fields);
  if (read.ok) return read.headers;
  throw validationFailed(read.problems);
}
