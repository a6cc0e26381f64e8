import type { WriteLogLine } from "@hookwright/domain";

/** Whether the process can serve requests. */
export type Readiness =
  | { readonly ready: true }
  | {
      readonly ready: false;
      /** A sentence for the public: no host names, no paths, no messages of others. */
      readonly problem: string;
    };

const longestMs = 3_000;
const noAnswer: Readiness = {
  ready: false,
  problem: `The readiness check gave no answer within ${longestMs / 1_000} s.`,
};

/** Asks a readiness check that may fail or never answer. A caller of `/readyz` wants to know within seconds. */
export async function askReadiness(
  readiness: () => Promise<Readiness>,
  log: WriteLogLine,
): Promise<Readiness> {
  const { promise: late, resolve } = Promise.withResolvers<Readiness>();
  const timer = setTimeout(() => resolve(noAnswer), longestMs);
  try {
    return await Promise.race([readiness(), late]);
  } catch (error) {
    log("not_ready", { error });
    return { ready: false, problem: "The readiness check failed. The log says why." };
  } finally {
    clearTimeout(timer);
  }
}
