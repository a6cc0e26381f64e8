import { countNotDelivered } from "@hookwright/domain";
import type { Delivery, Ledger, ListedConsoleWebhook } from "@hookwright/domain";
import { Answer, Endpoint, WebhookLink, WebhookStatus } from "../../parts/cells.tsx";
import { describeRetried } from "../../parts/format.ts";
import { Pending } from "../../parts/page.tsx";
import { Ago } from "../../parts/time.tsx";
import { periodNames, useConsole } from "../../state/console-context.ts";
import { hrefToRows, useLedger } from "../../state/ledger.ts";
import { hrefTo } from "../../state/route.ts";
import { useLiveReload } from "../../state/use-live.ts";
import { LossLinks } from "./tiles.tsx";

const shown = 5;
const compareEveryMs = 60_000;

export interface FailingWebhooksProps {
  readonly webhooks: readonly ListedConsoleWebhook[];
}

/** The webhooks with the most events that were not delivered, and retried attempts, in the chosen period. */
export function FailingWebhooks({ webhooks }: FailingWebhooksProps) {
  const { period, site } = useConsole();
  const ledger = useLedger({ period, project_id: site }, { byWebhook: true });
  useLiveReload(ledger.reload, () => true, compareEveryMs);
  const failing = ledger.data && sortByLoss(ledger.data).slice(0, shown);
  return (
    <div class="panel">
      <h2>Webhooks by failures in {periodNames[period]}</h2>
      <Pending of={ledger} />
      {failing?.length === 0 ? <p class="quiet">No event was lost, and none was tried again.</p> : null}
      <ul class="lines">
        {failing?.map((numbers) => {
          const webhook = webhooks.find(({ id }) => id === numbers.webhook_id);
          const { retried } = numbers;
          return webhook === undefined ? null : (
            <li key={webhook.id}>
              <WebhookStatus webhook={webhook} />
              <WebhookLink webhook={webhook} />
              <span class="number">
                {countNotDelivered(numbers) === 0 ? null : (
                  <LossLinks numbers={numbers} filters={{ webhook_id: webhook.id, project_id: site }} />
                )}
                {retried === 0 ? null : ` ${describeRetried(retried)}`}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function sortByLoss({ webhooks = [] }: Ledger): NonNullable<Ledger["webhooks"]> {
  return webhooks
    .filter((numbers) => countNotDelivered(numbers) + numbers.retried > 0)
    .toSorted((a, b) => countNotDelivered(b) - countNotDelivered(a) || b.retried - a.retried);
}

export interface LatestFailuresProps {
  readonly deliveries: readonly Delivery[];
  /** Attempts of the chosen period after the first one. */
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
      {deliveries.length === 0 ? null : <a href={hrefToRows("failed")}>All failed deliveries</a>}
    </div>
  );
}

/** A delivery fails with its last attempt. Before that, it is pending. */
function NoFailure({ retried }: Pick<LatestFailuresProps, "retried">) {
  const { period } = useConsole();
  if (retried === 0) return <p class="quiet">No delivery failed.</p>;
  return (
    <p class="quiet">
      No delivery failed after its last attempt. {describeRetried(retried)} in {periodNames[period]}.{" "}
      <a href={hrefToRows("pending")}>Pending deliveries</a>
    </p>
  );
}
