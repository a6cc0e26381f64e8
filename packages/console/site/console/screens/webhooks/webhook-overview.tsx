import type { ConsoleWebhook, Delivery, Overview } from "@hookwright/domain";
import { DeliveriesChart } from "../../charts/deliveries-chart.tsx";
import { ResponseChart } from "../../charts/response-chart.tsx";
import { FailureNote } from "../../parts/failure-note.tsx";
import { Loading } from "../../parts/loading.tsx";
import { useConsole } from "../../state/console-context.ts";
import { useLiveReload } from "../../state/use-live.ts";
import { useResource } from "../../state/use-resource.ts";
import { hrefTo } from "../../state/use-route.ts";
import { Tiles } from "../overview/tiles.tsx";
import { Answers } from "./answers.tsx";

/** The answers of so many deliveries are counted. */
const countedDeliveries = 100;

/** How one webhook does: numbers, charts, and what its endpoint answers. */
export function WebhookOverview({ webhook: { id } }: { readonly webhook: ConsoleWebhook }) {
  const { api, period } = useConsole();
  const overview = useResource(`overview ${id} ${period}`, (signal) =>
    api.get<Overview>("console/api/overview", { query: { period, webhook_id: id }, signal }),
  );
  const newest = useResource(`newest of ${id}`, async (signal) => {
    // Those of a disabled webhook are cancelled without an attempt.
    const query = { webhook_id: id, attempts_min: "1", limit: String(countedDeliveries) };
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
        {newest.data === undefined ? null : <Answers webhookId={id} deliveries={newest.data} />}
      </div>
    </>
  );
}
