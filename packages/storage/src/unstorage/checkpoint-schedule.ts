/** Says when a checkpoint is due, and sees to it that there is one at a time. */
export interface CheckpointSchedule {
  /** The log has grown by an item of that many characters. */
  grown(size: number): void;
  /** Begins no more, and resolves when none is under way. */
  ended(): Promise<void>;
}

/** The items of the log are read one by one when the storage is opened. */
const mostItems = 2_000;
/** After a fault; twice as long after each further one, since what a checkpoint has written by then stays until one succeeds. */
const shortestPauseMs = 5_000;
const longestPauseMs = 5 * 60_000;

/**
 * Due once the log is as long as half of what the checkpoint holds: then a checkpoint that has to write everything costs no
 * more than twice what the log has cost already, and replaying takes less time than reading the parts.
 *
 * @param options.heldSize characters in the parts of the last checkpoint
 * @param options.behind how much log there is already
 */
export function createCheckpointSchedule(options: {
  readonly run: () => Promise<void>;
  readonly heldSize: () => number;
  readonly leastSize: number;
  readonly behind: { readonly items: number; readonly size: number };
  readonly clock: () => number;
  readonly onError: (error: unknown) => void;
}): CheckpointSchedule {
  const { run, heldSize, leastSize, clock, onError } = options;
  let { items, size } = options.behind;
  let dueSize = Math.max(leastSize, heldSize() / 2);
  let underway: Promise<void> | undefined;
  let notBefore = Number.NEGATIVE_INFINITY;
  let pauseMs = shortestPauseMs;
  let ending = false;

  async function checkpoint(): Promise<void> {
    const covered = { items, size };
    try {
      await run();
      items -= covered.items;
      size -= covered.size;
      dueSize = Math.max(leastSize, heldSize() / 2);
      pauseMs = shortestPauseMs;
    } catch (error) {
      notBefore = clock() + pauseMs;
      pauseMs = Math.min(longestPauseMs, pauseMs * 2);
      onError(error);
    }
    underway = undefined;
  }

  return {
    grown(length) {
      items += 1;
      size += length;
      if (ending || underway !== undefined || (size < dueSize && items < mostItems) || clock() < notBefore)
        return;
      underway = checkpoint();
    },
    async ended() {
      ending = true;
      await underway;
    },
  };
}
