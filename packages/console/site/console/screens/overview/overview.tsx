import type {
  Delivery,
  ListedConsoleWebhook,
  Overview as OverviewData,
  RequestCounts,
} from "@hookwright/domain";
import { DeliveriesChart } from "../../charts/count-charts.tsx";
import { ResponseChart } from "../../charts/response-chart.tsx";
import { sumRetried } from "../../parts/format.ts";
import { FailureNote, Loading, ScreenHeader } from "../../parts/page.tsx";
import { withFewAttempts } from "../../state/attention.tsx";
import { useConsole } from "../../state/console-context.ts";
import { usePreferences } from "../../state/preferences.ts";
import { hrefTo, useTitle } from "../../state/route.ts";
import { useLiveReload, useRefresh } from "../../state/use-live.ts";
import { useResource } from "../../state/use-resource.ts";
import { AttentionList } from "./attention-list.tsx";
import { FailingWebhooks, LatestFailures } from "./failures.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { Tiles } from "./tiles.tsx";

/** How often the refused requests are counted again. */
const countEveryMs = 30_000;

/** Whether everything is delivered, and if not: what fails, since when. */
export function Overview() {
  useTitle("Overview");
  const { api, period, site } = useConsole();
  const { firstSteps } = usePreferences();
  const overview = useResource(`overview ${period} ${site ?? ""}`, (signal) =>
    api.get<OverviewData>("console/api/overview", { query: { period, project_id: site }, signal }),
  );
  const webhooks = useResource("webhooks with health", (signal) =>
    api.list<ListedConsoleWebhook>("console/api/webhooks", {
      query: { include: "health", limit: "100" },
      signal,
    }),
  );
  const deliveries = useResource(`newest deliveries ${site ?? ""}`, (signal) =>
    loadNewest(api, site, signal),
  );
  const requests = useResource("refused requests", (signal) =>
    api.get<RequestCounts>("console/api/requests/counts", { query: { period: "1h", status: "429" }, signal }),
  );
  useRefresh(requests.reload, countEveryMs);
  useLiveReload(
    () => {
      overview.reload();
      webhooks.reload();
      deliveries.reload();
    },
    () => true,
    5_000,
  );
  const failure = overview.failure ?? webhooks.failure ?? deliveries.failure;
  const { data } = overview;
  const all = webhooks.data?.rows;
  const rows = all?.filter(
    ({ project_id }) => site === undefined || project_id === null || project_id === site,
  );
  const newest = deliveries.data;
  const isFirstRun = site === undefined && newest !== undefined && newest.event === undefined;
  // Without the requests, the overview works.
  const hasCounted = requests.data !== undefined || requests.failure !== undefined;
  const isComplete = data !== undefined && rows !== undefined && newest !== undefined && hasCounted;
  return (
    <>
      <ScreenHeader title="Overview" />
      <FailureNote failure={failure} onRetry={overview.reload} />
      {isComplete ? (
        <>
          {firstSteps === "on" || (firstSteps === "auto" && isFirstRun) ? (
            <FirstSteps webhooks={rows} hasTested={newest.hasTested} first={newest.event} />
          ) : null}
          <AttentionList
            attention={withFewAttempts(data.attention, rows)}
            webhooks={rows}
            refused={requests.data?.rate_limited ?? 0}
            newest={newest.event}
          />
          <AllSitesNote webhooks={rows} />
          <Tiles overview={data} />
          <DeliveriesChart
            overview={data}
            onChoose={(since, until) => {
              location.hash = hrefTo(["deliveries"], { since, until });
            }}
          />
          <div class="halves">
            <ResponseChart overview={data} />
            <FailingWebhooks webhooks={rows} attention={data.attention} />
          </div>
          <LatestFailures deliveries={newest.failures} retried={sumRetried(data.series)} />
        </>
      ) : failure === undefined ? (
        <Loading />
      ) : null}
    </>
  );
}

/** Says what the numbers of a site lack. */
function AllSitesNote({ webhooks }: { readonly webhooks: readonly ListedConsoleWebhook[] }) {
  const { site } = useConsole();
  const count = webhooks.filter(({ project_id }) => project_id === null).length;
  if (site === undefined || count === 0) return null;
  return (
    <p class="quiet">
      {count === 1 ? "One webhook sends" : `${count} webhooks send`} the events of all sites. The totals and
      charts do not include {count === 1 ? "it" : "them"}, because they are not counted for each site.{" "}
      <a href={hrefTo([], { site: "" })}>Show all sites</a>
    </p>
  );
}

interface Newest {
  readonly failures: readonly Delivery[];
  /** The newest delivery of an event. */
  readonly event: Delivery | undefined;
  /** Whether an endpoint has accepted a test. */
  readonly hasTested: boolean;
}

async function loadNewest(
  api: ReturnType<typeof useConsole>["api"],
  site: string | undefined,
  signal: AbortSignal,
): Promise<Newest> {
  const list = (query: Readonly<Record<string, string>>) =>
    api.list<Delivery>("console/api/deliveries", { query: { ...query, project_id: site }, signal });
  const [failures, event, tests] = await Promise.all([
    list({ status: "failed", limit: "5" }),
    list({ kind: "event", limit: "1" }),
    list({ kind: "test", status: "delivered", limit: "1" }),
  ]);
  return { failures: failures.rows, event: event.rows[0], hasTested: tests.rows.length > 0 };
}
