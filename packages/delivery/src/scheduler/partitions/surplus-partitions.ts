import type { OnError } from "@hookwright/domain";
import type { Check } from "@hookwright/storage";
import type { PartitionLeases } from "../leases/partition-leases.ts";

/** Partitions that go to another worker as soon as what is under way in them has ended. */
export interface SurplusPartitions {
  /** Begins to give up as many as this worker holds beyond its share. */
  giveUp(): void;
  /** Gives up all there are, each as soon as it can be. */
  giveUpAll(): Promise<void>;
  isLeaving(partition: string): boolean;
}

/** Attempts, by partition. */
export interface PartitionWork {
  /** How many are under way. */
  sending(partition: string): number;
  /** Resolves when none is. Whoever asks begins no more of them. */
  ended(partition: string): Promise<void>;
  /** Resolves when every answer is durable. */
  recorded(partition: string): Promise<void>;
}

export interface SurplusPartitionsOptions {
  readonly leases: Pick<PartitionLeases, "surplus" | "held" | "fence" | "giveUp">;
  readonly work: PartitionWork;
  readonly onLeft: (partition: string) => void;
  readonly onFault: OnError;
}

export function createSurplusPartitions(options: SurplusPartitionsOptions): SurplusPartitions {
  const { leases, work, onLeft, onFault } = options;
  /** By partition, the fence under which it is to go: one that is lost and won back meanwhile is held anew, and stays. */
  const leaving = new Map<string, Check>();

  function isLeaving(partition: string): boolean {
    const fence = leaving.get(partition);
    return fence !== undefined && fence === leases.fence(partition);
  }

  /** Nothing new is begun in it, and what is under way is recorded first: whoever has it next sends nothing twice. */
  async function leave(partition: string, fence: Check): Promise<void> {
    leaving.set(partition, fence);
    try {
      await work.ended(partition);
      await work.recorded(partition);
      if (leases.fence(partition) !== fence) return;
      const given = leases.giveUp(partition);
      onLeft(partition);
      await given;
    } finally {
      if (leaving.get(partition) === fence) leaving.delete(partition);
    }
  }

  function staying(): string[] {
    return leases.held().filter((partition) => !isLeaving(partition));
  }

  async function leaveHeld(partition: string): Promise<void> {
    const fence = leases.fence(partition);
    if (fence !== undefined) await leave(partition, fence);
  }

  return {
    giveUp() {
      const all = staying();
      const count = leases.surplus() - (leases.held().length - all.length);
      if (count <= 0) return;
      all.sort((one, other) => work.sending(one) - work.sending(other));
      for (const partition of all.slice(0, count))
        leaveHeld(partition).catch((error: unknown) =>
          onFault(error, { partition, code: "partition_not_released" }),
        );
    },
    async giveUpAll() {
      await Promise.all(staying().map(leaveHeld));
    },
    isLeaving,
  };
}
