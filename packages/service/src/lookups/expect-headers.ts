import { readCustomHeaders, validationFailed } from "@hookwright/domain";
import type { CustomHeader } from "@hookwright/domain";
import type { Signing } from "../secrets/signing.ts";

/** The owner's own headers of a webhook. @throws HookwrightError `validation_failed` */
export function expectHeaders(
  { headerPrefix }: Pick<Signing, "headerPrefix">,
  fields: Readonly<Record<string, unknown>>,
): readonly CustomHeader[] {
  const read = readCustomHeaders(fields, headerPrefix);
  if (read.ok) return read.headers;
  throw validationFailed(read.problems);
}
