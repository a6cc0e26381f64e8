import { createArgumentWriter } from "./argument-writer.ts";
import type { ArgumentWriter } from "./argument-writer.ts";

/** A pool of argument writers, which are reused. Without it, a commit of six changes costs about 8 µs more CPU time. */
export interface WriterPool {
  take(): ArgumentWriter;
  /**
   * Returns a writer to the pool. Only after a reply or if nothing was sent: without a reply, ioredis may
   * still send its bytes.
   */
  release(writer: ArgumentWriter): void;
}

const maxKept = 64;

export function createWriterPool(): WriterPool {
  const spare: ArgumentWriter[] = [];
  return {
    take: () => spare.pop() ?? createArgumentWriter(),
    release(writer) {
      if (spare.length >= maxKept) return;
      writer.clear();
      spare.push(writer);
    },
  };
}
