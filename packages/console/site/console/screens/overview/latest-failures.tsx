import type { Delivery } from "@hookwright/domain";
import { describeRetried } from "../../charts/count-retried.ts";
import { Answer } from "../../parts/answer.tsx";
import { Endpoint } from "../../parts/endpoint.tsx";
import { Ago } from "../../parts/time.tsx";
import { useConsole } from "../../state/console-context.ts";
import { periodNames } from "../../state/periods.ts";
import { hrefTo } from "../../state/use-route.ts";

export interface LatestFailuresProps {
  readonly deliveries: readonly Delivery[];
  /** Attempts of the chosen period that failed and are retried. */
  readonly retried: number;
}

/** The newest failed deliveries. */
export function LatestFailures({ deliveries, retried }: LatestFailuresProps) {
  return (
    <div class="panel">
      <h2>Latest failures</h2>
      {deliveries.length === 0 ? <NoFailure retried={retried} /> : null}
      <ul class="lines failures">
        {deliveries.map(({ id, record_id, event, target_url, last_status, last_error, completed_at }) => (
          <li key={id}>
            <Answer status={last_status} error={last_error} />
            <a href={hrefTo(["deliveries", id])}>
              <bdi>{record_id}</bdi>
            </a>
            <code class="event">{event}</code>
            <Endpoint url={target_url} />
            <span class="quiet">
              <Ago at={completed_at} />
            </span>
          </li>
        ))}
      </ul>
      {deliveries.length === 0 ? null : (
        <a href={hrefTo(["deliveries"], { status: "failed" })}>All failed deliveries</a>
      )}
    </div>
  );
}

/** A delivery fails with its last attempt. Before that, its failed attempts are not among the failures. */
function NoFailure({ retried }: Pick<LatestFailuresProps, "retried">) {
  const { period } = useConsole();
  if (retried === 0) return <p class="quiet">No delivery failed.</p>;
  return (
    <p class="quiet">
      No delivery failed after its last attempt. {describeRetried(retried)} in {periodNames[period]}.{" "}
      <a href={hrefTo(["deliveries"], { status: "pending" })}>Pending deliveries</a>
    </p>
  );
}
