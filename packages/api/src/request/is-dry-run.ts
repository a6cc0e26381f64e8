import { parseInput, webhookActionInputSchema, withoutEmpty } from "@hookwright/domain";

const dryRunSchema = webhookActionInputSchema.pick({ dry_run: true });

/**
 * Whether the body of a job asks only for what it would do.
 *
 * @throws HookwrightError `validation_failed`
 */
export function isDryRun(body: unknown): boolean {
  return parseInput(dryRunSchema, withoutEmpty(body)).dry_run ?? false;
}
