import type { Commit, Key } from "@hookwright/storage";
import type { Network } from "./network.ts";

/** Commits that were reported as failed but are still on their way, for any length of time. */
export interface LateCommits {
  add(commit: Commit, happen: () => Promise<unknown>): void;
  /**
   * Reports that a process read these keys. A late commit may land right after the read, which is the worst moment for
   * the reader.
   */
  haveRead(keys: readonly Key[]): Promise<void>;
}

interface LateCommit {
  readonly commit: Commit;
  readonly happen: () => Promise<unknown>;
  /** True if it lands after a read, false if it lands after any other call. */
  readonly followsReads: boolean;
}

/** Longer than a lease, so that another process may have taken over. */
const latestMs = 30_000;

export function createLateCommits(network: Network): LateCommits {
  const waiting = new Set<LateCommit>();

  async function land(one: LateCommit): Promise<void> {
    while (network.isStorageAway("read")) await network.wait(100);
    if (waiting.delete(one)) await one.happen();
  }

  return {
    add(commit, happen) {
      const one = { commit, happen, followsReads: network.random() < 0.5 };
      waiting.add(one);
      network.clock.schedule(() => void land(one), network.between(1, latestMs));
    },
    async haveRead(keys) {
      if (waiting.size === 0) return;
      const names = new Set(keys.map(nameOf));
      for (const one of waiting) {
        const isAbout = one.commit.mutations.some(({ key }) => names.has(nameOf(key)));
        if (one.followsReads && isAbout && network.random() < 0.7) await land(one);
      }
    },
  };
}

function nameOf(key: Key): string {
  return key.join("/");
}
