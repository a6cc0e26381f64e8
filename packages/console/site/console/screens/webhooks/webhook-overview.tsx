import type { ConsoleWebhook, Delivery, Overview } from "@hookwright/domain";
import { DeliveriesChart } from "../../charts/deliveries-chart.tsx";
import { ResponseChart } from "../../charts/response-chart.tsx";
import { Answer } from "../../parts/answer.tsx";
import { FailureNote } from "../../parts/failure-note.tsx";
import { Loading } from "../../parts/loading.tsx";
import { useConsole } from "../../state/console-context.ts";
import { useLiveReload } from "../../state/use-live.ts";
import { useResource } from "../../state/use-resource.ts";
import { hrefTo } from "../../state/use-route.ts";
import { Tiles } from "../overview/tiles.tsx";
import { countAnswers } from "./count-answers.ts";

const countedDeliveries = 100;

/** How one webhook does: numbers, charts, and what its endpoint answers. */
export function WebhookOverview({ webhook: { id } }: { readonly webhook: ConsoleWebhook }) {
  const { api, period } = useConsole();
  const overview = useResource(`overview ${id} ${period}`, (signal) =>
    api.get<Overview>("console/api/overview", { query: { period, webhook_id: id }, signal }),
  );
  const newest = useResource(`newest of ${id}`, async (signal) => {
    const query = { webhook_id: id, limit: String(countedDeliveries) };
    return (await api.list<Delivery>("console/api/deliveries", { query, signal })).rows;
  });
  useLiveReload(
    () => {
      overview.reload();
      newest.reload();
    },
    (change) => change.type === "delivery" && change.row.webhook_id === id,
    5_000,
  );
  if (overview.data === undefined)
    return overview.failure === undefined ? (
      <Loading />
    ) : (
      <FailureNote failure={overview.failure} onRetry={overview.reload} />
    );
  return (
    <>
      <Tiles overview={overview.data} webhookId={id} />
      <DeliveriesChart
        overview={overview.data}
        onChoose={(since, until) => {
          location.hash = hrefTo(["deliveries"], { webhook_id: id, since, until });
        }}
      />
      <div class="halves">
        <ResponseChart overview={overview.data} />
        <Answers webhookId={id} deliveries={newest.data ?? []} />
      </div>
    </>
  );
}

interface AnswersProps {
  readonly webhookId: string;
  readonly deliveries: readonly Delivery[];
}

function Answers({ webhookId, deliveries }: AnswersProps) {
  const answers = countAnswers(deliveries);
  const total = answers.reduce((sum, { count }) => sum + count, 0);
  return (
    <div class="panel">
      <h2>Newest {total === 1 ? "answer" : `${total} answers`}</h2>
      {total === 0 ? <p class="quiet">None yet.</p> : null}
      <ul class="lines">
        {answers.map(({ status, error, count }) => (
          <li key={`${status} ${error}`}>
            <Answer status={status} error={error} />
            <svg class={`share ${error === null ? "good" : "bad"}`} height="8" aria-hidden="true">
              <rect width={`${(count / total) * 100}%`} height="8" rx="2" />
            </svg>
            <a
              class="number"
              href={hrefTo(["deliveries"], {
                webhook_id: webhookId,
                ...(status === null ? { error: error ?? undefined } : { http_status: String(status) }),
              })}
            >
              {count}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
