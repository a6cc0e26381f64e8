import type { WriteLogLine } from "@hookwright/domain";

/** Whether the process can serve requests. */
export type Readiness =
  | {
      readonly ready: true;
      /** Sentences about what does not work although requests are served. They may be public, too. @default [] */
      readonly warnings?: readonly string[] | undefined;
    }
  | {
      readonly ready: false;
      /** A sentence that may be public: no host names, paths or messages of other programs. */
      readonly problem: string;
    };

const longestMs = 3_000;
const timedOut: Readiness = {
  ready: false,
  problem: `The readiness check did not finish within ${longestMs / 1_000} s.`,
};

/** Runs a readiness check that may fail or hang. A caller of `/readyz` needs a response within seconds. */
export async function checkReadiness(
  readiness: () => Promise<Readiness>,
  log: WriteLogLine,
): Promise<Readiness> {
  const { promise: late, resolve } = Promise.withResolvers<Readiness>();
  const timer = setTimeout(() => resolve(timedOut), longestMs);
  try {
    return await Promise.race([readiness(), late]);
  } catch (error) {
    log("not_ready", { error });
    return { ready: false, problem: "The readiness check failed. The log says why." };
  } finally {
    clearTimeout(timer);
  }
}
