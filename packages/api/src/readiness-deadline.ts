const longestMs = 3_000;

/** A storage that is away may never answer; whoever asks whether it is there wants to know within seconds. */
export function withDeadline(readiness: () => Promise<boolean>): () => Promise<boolean> {
  return async () => {
    const { promise: late, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), longestMs);
    try {
      return await Promise.race([readiness(), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
