import type { Check } from "@hookwright/storage";
import type { Clock } from "../../time/clock.ts";
import type { Lane } from "../lanes/lane.ts";
import type { PartitionLeases } from "../leases/partition-leases.ts";

/** Partitions that go to another worker as soon as what is under way in them has ended. */
export interface SurplusPartitions {
  /** Begins to give up as many as this worker holds beyond its share. */
  giveUp(): void;
  isLeaving(partition: string): boolean;
}

export interface SurplusPartitionsOptions {
  readonly leases: Pick<PartitionLeases, "surplus" | "held" | "fence" | "giveUp">;
  readonly lanes: { all(): Iterable<Pick<Lane, "partition" | "sending">> };
  readonly clock: Clock;
  /** Resolves when every answer of the partition is durable. */
  readonly recorded: (partition: string) => Promise<void>;
  readonly onLeft: (partition: string) => void;
  readonly onFault: (error: unknown) => void;
}

/** How often a partition that is to go is looked at. */
const leavingPauseMs = 20;

export function createSurplusPartitions(options: SurplusPartitionsOptions): SurplusPartitions {
  const { leases, lanes, clock, recorded, onLeft, onFault } = options;
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
      while (leases.fence(partition) === fence && isSending(partition))
        await new Promise<void>((resolve) => clock.schedule(resolve, leavingPauseMs));
      await recorded(partition);
      if (leases.fence(partition) !== fence) return;
      const given = leases.giveUp(partition);
      onLeft(partition);
      await given;
    } finally {
      if (leaving.get(partition) === fence) leaving.delete(partition);
    }
  }

  function isSending(partition: string): boolean {
    for (const lane of lanes.all()) if (lane.partition === partition && lane.sending > 0) return true;
    return false;
  }

  function attemptsByPartition(): Map<string, number> {
    const attempts = new Map<string, number>();
    for (const { partition, sending } of lanes.all())
      attempts.set(partition, (attempts.get(partition) ?? 0) + sending);
    return attempts;
  }

  return {
    giveUp() {
      const staying = leases.held().filter((partition) => !isLeaving(partition));
      const count = leases.surplus() - (leases.held().length - staying.length);
      if (count <= 0) return;
      const attempts = attemptsByPartition();
      staying.sort((one, other) => (attempts.get(one) ?? 0) - (attempts.get(other) ?? 0));
      for (const partition of staying.slice(0, count)) {
        const fence = leases.fence(partition);
        if (fence !== undefined) leave(partition, fence).catch(onFault);
      }
    },
    isLeaving,
  };
}
