import { createArgumentWriter } from "./argument-writer.ts";
import type { ArgumentWriter } from "./argument-writer.ts";

/** Writers whose bytes nobody needs any more, to be written anew. */
export interface WriterPool {
  take(): ArgumentWriter;
  /** Only once Redis has answered, or where nothing was sent: without an answer the bytes may be on their way still. */
  giveBack(writer: ArgumentWriter): void;
}

const mostKept = 64;

export function createWriterPool(): WriterPool {
  const spare: ArgumentWriter[] = [];
  return {
    take: () => spare.pop() ?? createArgumentWriter(),
    giveBack(writer) {
      if (spare.length >= mostKept) return;
      writer.clear();
      spare.push(writer);
    },
  };
}
