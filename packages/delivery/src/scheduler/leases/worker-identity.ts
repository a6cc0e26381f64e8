/** A worker that has not renewed for so long is taken for dead (contract: take-over within 20 s). */
export const leaseMs = 15_000;

/** Who holds leases. `host` and `process` let a successor on the same machine see at once that a holder died. */
export interface WorkerIdentity {
  readonly id: string;
  /** Where `process` names one process: two containers, or two machines that are called the same, are not one host. */
  readonly host: string;
  readonly process: number;
}

/** Workers of this very process: two of them may share a store, and each must see that the other lives. */
const workersOfThisProcess = new Set<string>();

export function registerWorker({ id }: WorkerIdentity): void {
  workersOfThisProcess.add(id);
}

export function unregisterWorker({ id }: WorkerIdentity): void {
  workersOfThisProcess.delete(id);
}

/** Whether another worker is known to be dead: it ran on this very host, and its process is gone. */
export function isOrphan(
  other: WorkerIdentity,
  worker: WorkerIdentity,
  isProcessAlive: (process: number) => boolean,
): boolean {
  if (other.host !== worker.host || workersOfThisProcess.has(other.id)) return false;
  // The number of this process under an id it does not know: where a namespace cannot be told from the one before, its first process is number 1 every time.
  return other.process === worker.process || !isProcessAlive(other.process);
}
