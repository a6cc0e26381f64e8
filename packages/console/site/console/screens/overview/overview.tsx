import type {
  Delivery,
  ListedConsoleWebhook,
  Overview as OverviewData,
  RequestCounts,
} from "@hookwright/domain";
import { toPath } from "../../api/console-api.ts";
import { DeliveriesChart } from "../../charts/count-charts.tsx";
import { ResponseChart } from "../../charts/response-chart.tsx";
import { SharedTitles } from "../../parts/cells.tsx";
import { findSharedTitles } from "../../parts/tell-apart.ts";
import { FailureNote, Loading, ScreenHeader } from "../../parts/page.tsx";
import { useConsole } from "../../state/console-context.ts";
import { usePreferences } from "../../state/preferences.ts";
import { hrefTo } from "../../state/route.ts";
import { useGet, useRows } from "../../state/use-api.ts";
import { useLiveReload, useRefresh } from "../../state/use-live.ts";
import { AttentionList } from "./attention-list.tsx";
import { IssueList } from "../issues/issue-list.tsx";
import { FailingWebhooks } from "./failures.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { Tiles } from "./tiles.tsx";

/** How often is counted again what the stream does not tell: refused requests, and events that are not sent. */
const countEveryMs = 15_000;

/** Whether everything is delivered, and if not: what fails, since when. */
export function Overview() {
  const { period, site } = useConsole();
  const { firstSteps } = usePreferences();
  const overview = useGet<OverviewData>(toPath("overview"), { period, project_id: site });
  const webhooks = useRows<ListedConsoleWebhook>(toPath("webhooks"), { include: "health", limit: "100" });
  const gone = useRows<ListedConsoleWebhook>(toPath("webhooks"), { status: "removed", limit: "100" });
  const deliveries = toPath("deliveries");
  const filters = { project_id: site };
  const events = useRows<Delivery>(deliveries, { kind: "event", limit: "1", project_id: site });
  const accepted = { kind: "test", status: "delivered", limit: "1", project_id: site };
  const tests = useRows<Delivery>(deliveries, accepted);
  const requests = useGet<RequestCounts>(toPath("requests", "counts"), { period: "1h", status: "429" });
  useRefresh(requests.refresh, countEveryMs);
  useRefresh(overview.refresh, countEveryMs);
  const loaded = [overview, webhooks, gone, events, tests];
  useLiveReload(
    () => loaded.forEach((each) => each.refresh()),
    () => true,
    5_000,
  );
  const { data } = overview;
  const isOfSite = ({ project_id }: ListedConsoleWebhook): boolean =>
    site === undefined || project_id === null || project_id === site;
  const rows = webhooks.data?.filter(isOfSite);
  const removed = gone.data?.filter(isOfSite) ?? [];
  const all = [...(rows ?? []), ...removed];
  const [newest] = events.data ?? [];
  // What stands above the numbers must not arrive after them.
  const isSettled = [...loaded, requests].every(
    (each) => each.data !== undefined || each.failure !== undefined,
  );
  const isNew = site === undefined && events.data?.length === 0;
  return (
    <>
      <ScreenHeader title="Overview" />
      {isSettled ? null : <Loading rem={[3.4, 8.6, 18, 18, 12]} />}
      <FailureNote failure={overview.failure} onRetry={overview.reload} />
      {isSettled ? (
        <SharedTitles value={findSharedTitles(rows ?? [])}>
          {firstSteps === "on" || (firstSteps === "auto" && isNew) ? (
            <FirstSteps webhooks={rows ?? []} hasTested={tests.data?.length === 1} first={newest} />
          ) : null}
          {data === undefined ? null : (
            <>
              <AttentionList
                attention={data.attention}
                webhooks={all}
                refused={requests.data?.rate_limited ?? 0}
                newest={newest}
                onSnoozed={overview.reload}
              />
              <Tiles ledger={data} filters={filters} />
              <DeliveriesChart
                ledger={data}
                filters={filters}
                onChoose={(since, until) => {
                  location.hash = hrefTo(["deliveries"], { since, until });
                }}
              />
            </>
          )}
          <div class="halves">
            {data === undefined ? null : <ResponseChart ledger={data} />}
            <FailingWebhooks webhooks={webhooks} removed={removed} />
          </div>
          <IssueList webhooks={all} onMarked={overview.reload} />
        </SharedTitles>
      ) : null}
    </>
  );
}
