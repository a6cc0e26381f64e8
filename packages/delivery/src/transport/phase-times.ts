import type { PhaseTimes } from "./answer.ts";
import type { Phase } from "./failure.ts";

/** When an attempt entered each of the {@link PhaseTimes}, in tenths of a millisecond after its start. -1: it has not. */
export type PhaseStarts = [dns: number, connect: number, tls: number, wait: number, read: number];

interface Timed {
  /** On the clock of `performance.now()`. */
  readonly startedAt: number;
  phase: Phase;
  readonly phaseStarts: PhaseStarts;
}

const tls = 2;
const wait = 3;
/** With a proxy, connecting to it and through it is one phase. */
const places = { lookup: 0, connect: 1, proxy: 1, tunnel: 1, tls, exchange: wait, response: 4 } as const;

export function createPhaseStarts(): PhaseStarts {
  return [-1, -1, -1, -1, -1];
}

export function enterPhase(attempt: Timed, phase: Phase, now: number): void {
  const { phaseStarts, startedAt } = attempt;
  attempt.phase = phase;
  const place = places[phase];
  if (phaseStarts[place] === -1) phaseStarts[place] = toTenths(now - startedAt);
}

/** Milliseconds from the start to the new connection. Undefined before it. */
export function toConnectedAfter(starts: Readonly<PhaseStarts>): number | undefined {
  const connectedAt = starts[tls] === -1 ? starts[wait] : starts[tls];
  return connectedAt === -1 ? undefined : connectedAt / 10;
}

/** Each phase lasts until the next one, and the last one until `endedAt`. */
export function toPhaseTimes(
  { startedAt, phaseStarts }: Timed,
  endedAt: number,
): { readonly durationMs: number; readonly phases: PhaseTimes } {
  const duration = toTenths(endedAt - startedAt);
  const phases = createPhaseStarts();
  let end = duration;
  for (let place = phases.length - 1; place >= 0; place -= 1) {
    const start = phaseStarts[place] ?? -1;
    if (start === -1) continue;
    phases[place] = end - start;
    end = start;
  }
  // Before that, it waited on a reused connection that broke. Without a request on the new one, its first phase has this time.
  if (end > 0) {
    const first = phases[wait] === -1 ? phases.findIndex((tenths) => tenths !== -1) : wait;
    phases[first === -1 ? wait : first] = Math.max(phases[first] ?? 0, 0) + end;
  }
  return { durationMs: duration / 10, phases };
}

function toTenths(ms: number): number {
  return Math.round(ms * 10);
}
