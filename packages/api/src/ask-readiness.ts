import { describeError } from "./answer/describe-error.ts";
import type { Logger } from "./logger.ts";

const longestMs = 3_000;

/**
 * Asks a readiness check that may fail or never answer, as one of a storage that is away does: whoever asks wants to know
 * within seconds.
 */
export async function askReadiness(readiness: () => Promise<boolean>, logger: Logger): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), longestMs);
  try {
    return await Promise.race([readiness(), late]);
  } catch (error) {
    logger.warn("not ready", { error: describeError(error) });
    return false;
  } finally {
    clearTimeout(timer);
  }
}
