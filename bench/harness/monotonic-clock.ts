/** Node's clock starts at the start of each process. The machine's clock is the same for all processes. */
const startedAt = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** Milliseconds of a monotonic clock that all processes of the machine share. */
export function monotonicMs(): number {
  return startedAt + performance.now();
}
