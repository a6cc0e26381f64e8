import type { WriteLogLine } from "@hookwright/domain";

const longestMs = 3_000;

/**
 * Asks a readiness check that may fail or never answer, as one of a storage that is away does: whoever asks wants to know
 * within seconds.
 */
export async function askReadiness(readiness: () => Promise<boolean>, log: WriteLogLine): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), longestMs);
  try {
    return await Promise.race([readiness(), late]);
  } catch (error) {
    log("not_ready", { error });
    return false;
  } finally {
    clearTimeout(timer);
  }
}
