import type { Check } from "@hookwright/storage";
import type { Finished } from "../turns/finished.ts";
import { createRecorder } from "./recorder.ts";
import type { Recorder, RecorderOptions } from "./recorder.ts";
import { createRecordingMoments } from "./recording-moments.ts";

/** A recorder for each partition: what one waits for holds up no other. */
export interface Recorders {
  add(partition: string, finished: Finished): void;
  /** Whether what ended in this partition cannot be made durable for now: the store has failed, and is tried again. */
  isHeldUp(partition: string): boolean;
  /** Resolves when everything added so far is durable or lost; of one partition, or of all. */
  drained(partition?: string): Promise<void>;
}

export interface RecordersOptions extends Omit<RecorderOptions, "partition" | "fence" | "moments"> {
  readonly fence: (partition: string) => Check | undefined;
}

export function createRecorders(options: RecordersOptions): Recorders {
  const recorders = new Map<string, Recorder>();
  const moments = createRecordingMoments(options);

  function open(partition: string): Recorder {
    const existing = recorders.get(partition);
    if (existing !== undefined) return existing;
    const recorder = createRecorder({
      ...options,
      moments,
      partition,
      fence: () => options.fence(partition),
    });
    recorders.set(partition, recorder);
    return recorder;
  }

  return {
    add: (partition, finished) => open(partition).add(finished),
    isHeldUp: (partition) => recorders.get(partition)?.isHeldUp() ?? false,
    async drained(partition) {
      if (partition !== undefined) await recorders.get(partition)?.drained();
      else await Promise.all([...recorders.values()].map((recorder) => recorder.drained()));
    },
  };
}
