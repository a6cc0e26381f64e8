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
  const deliveries = toPath("deliveries");
  const filters = { project_id: site };
  const events = useRows<Delivery>(deliveries, { kind: "event", limit: "1", project_id: site });
  const accepted = { kind: "test", status: "delivered", limit: "1", project_id: site };
  const tests = useRows<Delivery>(deliveries, accepted);
  const requests = useGet<RequestCounts>(toPath("requests", "counts"), { period: "1h", status: "429" });
  useRefresh(requests.reload, countEveryMs);
  useRefresh(overview.reload, countEveryMs);
  const loaded = [overview, webhooks, events, tests];
  const reload = (): void => loaded.forEach((each) => each.reload());
  useLiveReload(reload, () => true, 5_000);
  const failure = loaded.find((each) => each.failure !== undefined)?.failure;
  const { data } = overview;
  const rows = webhooks.data?.filter(
    ({ project_id }) => site === undefined || project_id === null || project_id === site,
  );
  const [newest] = events.data ?? [];
  // Without the requests, the overview works.
  const hasCounted = requests.data !== undefined || requests.failure !== undefined;
  const areAllLoaded = loaded.every((each) => each.data !== undefined) && hasCounted;
  return (
    <>
      <ScreenHeader title="Overview" />
      <FailureNote failure={failure} onRetry={reload} />
      {areAllLoaded && data !== undefined && rows !== undefined ? (
        <SharedTitles value={findSharedTitles(rows)}>
          {firstSteps === "on" || (firstSteps === "auto" && site === undefined && newest === undefined) ? (
            <FirstSteps webhooks={rows} hasTested={tests.data?.length === 1} first={newest} />
          ) : null}
          <AttentionList
            attention={data.attention}
            webhooks={rows}
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
          <div class="halves">
            <ResponseChart ledger={data} />
            <FailingWebhooks webhooks={rows} />
          </div>
          <IssueList webhooks={rows} onMarked={overview.reload} />
        </SharedTitles>
      ) : failure === undefined ? (
        <Loading />
      ) : null}
    </>
  );
}
