/** Node counts from the start of each process; the machine's clock behind it is the same for all. */
const startedAt = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** Milliseconds of a clock that all processes of the machine have in common, and that nobody sets back. */
export function monotonicMs(): number {
  return startedAt + performance.now();
}
