import { parseInput, withoutEmpty } from "@hookwright/domain";
import { z } from "zod";

const dryRunSchema = z.object({ dry_run: z.boolean().optional() });

/**
 * Whether the body of a job asks only for what it would do.
 *
 * @throws HookwrightError `validation_failed`
 */
export function isDryRun(body: unknown): boolean {
  return parseInput(dryRunSchema, withoutEmpty(body)).dry_run ?? false;
}
