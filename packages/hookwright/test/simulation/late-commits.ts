import type { Commit, Key } from "@hookwright/storage";
import type { Network } from "./network.ts";

/** Commits that were reported as failed and are on their way still, for as long as they like. */
export interface LateCommits {
  add(commit: Commit, happen: () => Promise<unknown>): void;
  /** Somebody has read these: what changes one of them may come right behind that, the worst moment for whoever builds on it. */
  haveRead(keys: readonly Key[]): Promise<void>;
}

interface LateCommit {
  readonly commit: Commit;
  readonly happen: () => Promise<unknown>;
  /** Whether it comes behind a read; else behind whatever was done meanwhile. */
  readonly followsReads: boolean;
}

/** Longer than a lease, so that others may have taken over. */
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
