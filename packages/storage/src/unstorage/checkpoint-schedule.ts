/** Starts checkpoints when they are due, one at a time. */
export interface CheckpointSchedule {
  /** Records that the log has grown by one item of that many characters. */
  grown(size: number): void;
  /** Starts no more checkpoints. Resolves when none is running. */
  ended(): Promise<void>;
}

/** Limits the time to open the storage, which reads the log items one by one. */
const maxItems = 2_000;
/**
 * The pause after a failed checkpoint. It doubles with each further failure, because failed checkpoints leave
 * items initial.
 */
const minPauseMs = 5_000;
const maxPauseMs = 5 * 60_000;

/**
 * A checkpoint is due when the log is half as long as the last checkpoint. A full checkpoint then writes at
 * most about twice as much as the log, and replaying takes less time than reading the parts.
 *
 * @param options.heldSize returns the number of characters in the last checkpoint
 * @param options.initial the log that already exists
 */
export function createCheckpointSchedule(options: {
  readonly run: () => Promise<void>;
  readonly heldSize: () => number;
  readonly minSize: number;
  readonly initial: { readonly items: number; readonly size: number };
  readonly clock: () => number;
  readonly onError: (error: unknown) => void;
}): CheckpointSchedule {
  const { run, heldSize, minSize, clock, onError } = options;
  let { items, size } = options.initial;
  let dueSize = Math.max(minSize, heldSize() / 2);
  let running: Promise<void> | undefined;
  let notBefore = Number.NEGATIVE_INFINITY;
  let pauseMs = minPauseMs;
  let ending = false;

  async function checkpoint(): Promise<void> {
    const covered = { items, size };
    try {
      await run();
      items -= covered.items;
      size -= covered.size;
      dueSize = Math.max(minSize, heldSize() / 2);
      pauseMs = minPauseMs;
    } catch (error) {
      notBefore = clock() + pauseMs;
      pauseMs = Math.min(maxPauseMs, pauseMs * 2);
      onError(error);
    }
    running = undefined;
  }

  return {
    grown(length) {
      items += 1;
      size += length;
      if (ending || running !== undefined || (size < dueSize && items < maxItems) || clock() < notBefore)
        return;
      running = checkpoint();
    },
    async ended() {
      ending = true;
      await running;
    },
  };
}
