import { formatMs } from "@hookwright/domain";
import type { Attempt, AttemptPhases } from "@hookwright/domain";

/** In the order of time. The class says who took it: our queue, the network, or the endpoint. */
const parts = [
  ["queued_ms", "Our queue", "ours"],
  ["dns_ms", "DNS", "network"],
  ["connect_ms", "Connect", "network"],
  ["tls_ms", "TLS", "network"],
  ["wait_ms", "First byte", "theirs"],
  ["read_ms", "Reading", "theirs"],
] as const satisfies readonly (readonly [keyof AttemptPhases, string, string])[];

interface Segment {
  readonly name: string;
  readonly owner: (typeof parts)[number][2];
  readonly ms: number;
  /** When it began, in milliseconds after the first one. */
  readonly startMs: number;
}

/** The phases that an attempt had, one after the other. */
export function toSegments(phases: AttemptPhases): readonly Segment[] {
  let startMs = 0;
  return parts.flatMap(([field, name, owner]) => {
    const ms = phases[field];
    if (ms === null) return [];
    startMs += ms;
    return [{ name, owner, ms, startMs: startMs - ms }];
  });
}

/** A phase that took nearly no time is still seen. */
const narrowest = 0.6;

interface BarsProps {
  readonly segments: readonly Segment[];
  /** The time that the whole width stands for. */
  readonly totalMs: number;
}

/** Strict CSP forbids inline styles, so the lengths are attributes of SVG. */
function Bars({ segments, totalMs }: BarsProps) {
  return (
    <svg class="bars" width="100%" height="8" aria-hidden="true">
      {segments.map(({ name, owner, ms, startMs }) => (
        <rect
          key={name}
          class={owner}
          x={`${Math.min(100 - narrowest, (startMs / totalMs) * 100)}%`}
          width={`${Math.max(narrowest, (ms / totalMs) * 100)}%`}
          height="8"
        />
      ))}
    </svg>
  );
}

/** How long an attempt took, in one line. @param longestMs of the attempts that it is compared with */
export function DurationBar({
  attempt,
  longestMs,
}: {
  readonly attempt: Attempt;
  readonly longestMs: number;
}) {
  const { phases, duration_ms } = attempt;
  const made = toSegments({
    ...phases,
    queued_ms: null,
    wait_ms: phases.wait_ms ?? (phases.queued_ms === null ? duration_ms : null),
  });
  return <Bars segments={made} totalMs={longestMs} />;
}

/** Where the time of an attempt went: a line for each phase. Nothing for an attempt of an earlier version. */
export function Waterfall({ attempt: { phases, reused } }: { readonly attempt: Attempt }) {
  const segments = toSegments(phases);
  if (segments.length === 0) return null;
  const totalMs = segments.reduce((sum, { ms }) => sum + ms, 0.1);
  return (
    <table class="waterfall">
      <caption class="heard">Where the time went</caption>
      <tbody>
        {segments.map((segment) => (
          <tr key={segment.name}>
            <th scope="row">{segment.name}</th>
            <td>
              <Bars segments={[segment]} totalMs={totalMs} />
            </td>
            <td class="number">{formatMs(segment.ms)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td colSpan={3}>
            <Key owner="ours" /> us · <Key owner="network" /> network · <Key owner="theirs" /> your endpoint
            {reused ? " · reused connection" : null}
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

function Key({ owner }: Pick<Segment, "owner">) {
  return (
    <svg class="bars key" width="8" height="8" aria-hidden="true">
      <rect class={owner} width="8" height="8" />
    </svg>
  );
}
