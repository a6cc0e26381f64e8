import type { Attention, Delivery, ListedConsoleWebhook, Overview } from "@hookwright/domain";
import { toPath } from "../../api/console-api.ts";
import { Sparkline } from "../../charts/small-charts.tsx";
import { Answer, Endpoint, WebhookLink, WebhookStatus } from "../../parts/cells.tsx";
import { countRetried, describeRetried, formatCount, sumRetried } from "../../parts/format.ts";
import { Pending } from "../../parts/page.tsx";
import { Ago } from "../../parts/time.tsx";
import { sortWebhooks } from "../../state/attention.tsx";
import { periodNames, useConsole } from "../../state/console-context.ts";
import { hrefTo } from "../../state/route.ts";
import { useResource } from "../../state/use-api.ts";
import { useLiveReload } from "../../state/use-live.ts";

const shown = 5;
/** Each one is a request: broken ones first, then those with the most traffic. */
const compared = 10;
const compareEveryMs = 60_000;

export interface FailingWebhooksProps {
  readonly webhooks: readonly ListedConsoleWebhook[];
  readonly attention: readonly Attention[];
}

/** The webhooks with the most failed deliveries and retried attempts of the chosen period. */
export function FailingWebhooks({ webhooks, attention }: FailingWebhooksProps) {
  const { api, period, site } = useConsole();
  const overviews = useResource(`failures ${period} ${site ?? ""}`, (signal) =>
    Promise.all(
      sortWebhooks(webhooks, attention)
        .slice(0, compared)
        .map(async ({ id }) => {
          const query = { period, webhook_id: id };
          return [id, await api.get<Overview>(toPath("overview"), { query, signal })] as const;
        }),
    ),
  );
  useLiveReload(overviews.reload, () => true, compareEveryMs);
  const failing = overviews.data
    ?.map(([id, { series, totals }]) => ({
      webhook: webhooks.find((each) => each.id === id),
      failed: totals.failed,
      retried: sumRetried(series),
      failures: series.map((bucket) => bucket.failed + countRetried(bucket)),
    }))
    .filter(({ failed, retried }) => failed + retried > 0)
    .toSorted((a, b) => b.failed - a.failed || b.retried - a.retried)
    .slice(0, shown);
  return (
    <div class="panel">
      <h2>Webhooks by failures in {periodNames[period]}</h2>
      <Pending of={overviews} />
      {failing?.length === 0 ? <p class="quiet">No attempt failed.</p> : null}
      <ul class="lines">
        {failing?.map(({ webhook, failed, retried, failures }) =>
          webhook === undefined ? null : (
            <li key={webhook.id}>
              <WebhookStatus webhook={webhook} />
              <WebhookLink webhook={webhook} />
              <Sparkline values={failures} />
              <span class="number">{describeFailures(failed, retried)}</span>
            </li>
          ),
        )}
      </ul>
    </div>
  );
}

function describeFailures(failed: number, retried: number): string {
  return [
    ...(failed === 0 ? [] : [`${formatCount(failed)} failed`]),
    ...(retried === 0 ? [] : [`${formatCount(retried)} retried`]),
  ].join(" · ");
}

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
