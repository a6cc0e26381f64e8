import type { Overview } from "@hookwright/domain";
import type { Query } from "../../api/console-api.ts";
import { DeliveriesChart } from "../../charts/deliveries-chart.tsx";
import { ScreenHeader } from "../../parts/screen-header.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { PeriodPicker } from "../../shell/period-picker.tsx";
import { useConsole } from "../../state/console-context.ts";
import { useLiveReload } from "../../state/use-live.ts";
import { useResource } from "../../state/use-resource.ts";
import { replaceQuery } from "../../state/use-route.ts";
import { useTitle } from "../../state/use-title.ts";
import { toDeliveryQuery } from "./delivery-filters.ts";
import { DeliveryTable } from "./delivery-table.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { StatusTabs } from "./status-tabs.tsx";

/** The delivery log. Its filters are in the address, so that a user can bookmark and share a search. */
export function DeliveryLog({ query: address }: { readonly query: Readonly<Record<string, string>> }) {
  useTitle("Deliveries");
  const query = toDeliveryQuery(address);
  return (
    <>
      <ScreenHeader title="Deliveries">
        <PeriodPicker />
      </ScreenHeader>
      <StatusTabs query={query} />
      {isCounted(query) ? <Histogram webhookId={query["webhook_id"]} /> : null}
      <div class="filter-line">
        <SearchField
          label="Delivery, body or record id"
          text={query["q"] ?? ""}
          onSearch={(q) => replaceQuery({ q })}
        />
        <FilterBar query={query} />
      </div>
      <DeliveryTable query={query} />
    </>
  );
}

/** The histogram counts all statuses, and narrows the time. Other filters would make it contradict the list. */
const allowed: ReadonlySet<string> = new Set(["webhook_id", "status", "since", "until"]);

function isCounted(query: Query): boolean {
  return Object.entries(query).every(([name, value]) => !value || allowed.has(name));
}

/** When deliveries ended. A click or a drag narrows the list to a time. */
function Histogram({ webhookId }: { readonly webhookId: string | undefined }) {
  const { api, period } = useConsole();
  const { data, reload } = useResource(`histogram ${period} ${webhookId ?? ""}`, (signal) =>
    api.get<Overview>("console/api/overview", { query: { period, webhook_id: webhookId }, signal }),
  );
  useLiveReload(reload, (change) => change.type === "delivery", 5_000);
  // The list works without it, and shows what is wrong.
  if (data === undefined) return null;
  return (
    <div class="histogram">
      <DeliveriesChart overview={data} onChoose={(since, until) => replaceQuery({ since, until })} />
    </div>
  );
}
