import type { OnError } from "@hookwright/domain";
import type { Clock } from "../../time/clock.ts";
import type { PartitionLeases } from "./partition-leases.ts";
import { leaseMs } from "./worker-identity.ts";

/** Renews the leases on its own, so that nothing slow elsewhere can cost them. */
export interface Heartbeat {
  start(): void;
  /** One that is under way comes to its end; no other follows. */
  stop(): void;
}

export interface HeartbeatOptions {
  readonly leases: Pick<PartitionLeases, "renew">;
  readonly clock: Clock;
  /** Somebody else has taken the partition. */
  readonly onLost: (partition: string) => void;
  /** What could be renewed is held for the length of a lease from now. */
  readonly onRenewed: () => void;
  readonly onFault: OnError;
}

/** One that fails or is late is followed by others before a lease runs out. */
const pauseMs = leaseMs / 3;
/** After a fault of the store it is tried again soon: the lease is running out. */
const faultPauseMs = 1_000;

export function createHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { leases, clock, onLost, onRenewed, onFault } = options;
  let cancelNext = (): void => {};
  let stopped = false;

  async function beat(): Promise<void> {
    let delayMs = faultPauseMs;
    try {
      const { lost, fault } = await leases.renew();
      lost.forEach(onLost);
      onRenewed();
      if (fault === undefined) delayMs = pauseMs;
      else onFault(fault, { code: "leases_not_renewed" });
    } catch (error) {
      onFault(error, { code: "leases_not_renewed" });
    }
    if (!stopped) schedule(delayMs);
  }

  function schedule(delayMs: number): void {
    cancelNext = clock.schedule(() => void beat(), delayMs);
  }

  return {
    start: () => schedule(pauseMs),
    stop() {
      stopped = true;
      cancelNext();
    },
  };
}
