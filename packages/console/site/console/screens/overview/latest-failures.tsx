import type { Delivery } from "@hookwright/domain";
import { Answer } from "../../parts/answer.tsx";
import { Endpoint } from "../../parts/endpoint.tsx";
import { Ago } from "../../parts/time.tsx";
import { hrefTo } from "../../state/use-route.ts";

/** The newest failed deliveries. */
export function LatestFailures({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  return (
    <div class="panel">
      <h2>Latest failures</h2>
      {deliveries.length === 0 ? <p class="quiet">No delivery failed.</p> : null}
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
