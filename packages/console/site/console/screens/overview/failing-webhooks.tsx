import type { Attention, ListedConsoleWebhook, Overview } from "@hookwright/domain";
import { countRetried, sumRetried } from "../../charts/count-retried.ts";
import { formatCount } from "../../charts/scales.ts";
import { Sparkline } from "../../charts/sparkline.tsx";
import { Endpoint } from "../../parts/endpoint.tsx";
import { FailureNote } from "../../parts/failure-note.tsx";
import { Loading } from "../../parts/loading.tsx";
import { WebhookStatus } from "../../parts/status.tsx";
import { useConsole } from "../../state/console-context.ts";
import { periodNames } from "../../state/periods.ts";
import { useLiveReload } from "../../state/use-live.ts";
import { useResource } from "../../state/use-resource.ts";
import { hrefTo } from "../../state/use-route.ts";
import { sortWebhooks } from "../webhooks/webhook-views.ts";

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
  const { data, failure, reload } = useResource(`failures ${period} ${site ?? ""}`, (signal) =>
    Promise.all(
      sortWebhooks(webhooks, attention)
        .slice(0, compared)
        .map(async ({ id }) => {
          const query = { period, webhook_id: id };
          return [id, await api.get<Overview>("console/api/overview", { query, signal })] as const;
        }),
    ),
  );
  useLiveReload(reload, () => true, compareEveryMs);
  const failing = data
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
      <FailureNote failure={failure} onRetry={reload} />
      {failing === undefined && failure === undefined ? <Loading /> : null}
      {failing?.length === 0 ? <p class="quiet">No attempt failed.</p> : null}
      <ul class="lines">
        {failing?.map(({ webhook, failed, retried, failures }) =>
          webhook === undefined ? null : (
            <li key={webhook.id}>
              <WebhookStatus webhook={webhook} />
              <a href={hrefTo(["webhooks", webhook.id])}>
                <Endpoint url={webhook.target_url} name={webhook.name} />
              </a>
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
