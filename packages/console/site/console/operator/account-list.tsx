import { successRate, formatMs } from "@hookwright/domain";
import type { HostStats, ListedAccount } from "@hookwright/domain";
import { Button } from "../parts/buttons.tsx";
import type { Column } from "../parts/data-table.tsx";
import { Choice, PeriodPicker, SearchField } from "../parts/fields.tsx";
import { describeOutcomes } from "../parts/describe-outcomes.ts";
import { formatBytes, formatShare } from "../parts/format.ts";
import { Facts, FailureNote, ScreenHeader } from "../parts/page.tsx";
import { PagedTable } from "../parts/paged-table.tsx";
import { Ago } from "../parts/time.tsx";
import { readPeriod } from "../state/console-context.ts";
import { hrefTo, replaceQuery } from "../state/route.ts";
import { useGet } from "../state/use-api.ts";
import { usePages } from "../state/use-pages.ts";
import { AccountStatus } from "./account-status.tsx";
import { OpenConsole } from "./open-console.tsx";

/** All accounts, with numbers over all of them. */
export function AccountList({
  query: { q = "", status, sort = "", period },
}: {
  readonly query: Readonly<Record<string, string>>;
}) {
  const query = { limit: "50", q, status, sort, ...(sort === "" ? {} : { period: readPeriod(period) }) };
  const pages = usePages<ListedAccount>("host/v1/accounts", query);
  return (
    <>
      <ScreenHeader title="Accounts">
        <Button onClick={pages.reload}>Refresh</Button>
      </ScreenHeader>
      <Stats />
      <div class="filter-line">
        <SearchField label="Id, name or e-mail" text={q} onSearch={(text) => replaceQuery({ q: text })} />
        <Choice
          label="Status"
          value={status}
          onChoose={(value) => replaceQuery({ status: value })}
          choices={[
            ["active", "Active"],
            ["suspended", "Suspended"],
          ]}
        />
        <Choice
          label="Order"
          all="By id"
          value={sort}
          onChoose={(value) => replaceQuery({ sort: value })}
          choices={[
            ["not_delivered", "Most not delivered"],
            ["failed", "Most failed"],
            ["volume", "Most events"],
            ["log_size", "Largest log"],
          ]}
        />
        {sort === "" ? null : <PeriodPicker />}
      </div>
      <PagedTable
        caption={captions[sort] ?? "Accounts with events, most first"}
        columns={[
          {
            name: "Account",
            kind: "name",
            place: "title",
            cell: ({ id, name }) => (
              <a class="row-link" href={hrefTo(["operator", "accounts", id])}>
                <bdi>{name}</bdi> <code>{id}</code>
              </a>
            ),
          },
          { name: "Status", place: "mark", cell: ({ status: now }) => <AccountStatus status={now} /> },
          { name: "Plan", kind: "name", isWide: true, cell: ({ plan }) => <bdi>{plan.name}</bdi> },
          ...(sort === "" ? [] : ledgerColumns),
          {
            name: "Log",
            kind: "number",
            isWide: true,
            cell: ({ log }) => (log === null ? "–" : formatBytes(log.bytes)),
          },
          { name: "Created", isWide: true, cell: ({ created_at }) => <Ago at={created_at} /> },
          { name: "Console", place: "detail", cell: ({ id }) => <OpenConsole accountId={id} /> },
        ]}
        pages={pages}
        empty={<p>No matching accounts.</p>}
      />
    </>
  );
}

const captions: Readonly<Record<string, string>> = {
  "": "Accounts, by id",
  log_size: "Accounts, largest log first",
};

/** Of the period, without the last minutes. */
const ledgerColumns: readonly Column<ListedAccount>[] = [
  {
    name: "Success",
    kind: "number",
    place: "detail",
    cell: ({ ledger }) => formatShare(ledger === undefined ? null : successRate(ledger)),
  },
  {
    name: "Events",
    place: "detail",
    cell: ({ ledger }) => (ledger === undefined ? null : describeOutcomes(ledger)),
  },
];

function Stats() {
  const { data, failure, reload } = useGet<HostStats>("host/v1/stats");
  if (data === undefined) return <FailureNote failure={failure} onRetry={reload} />;
  const { accounts, webhooks, deliveries, events } = data;
  const { oldest_due_seconds: seconds } = deliveries;
  return (
    <Facts
      facts={{
        Accounts: accounts,
        Webhooks: `${webhooks.active} active, ${webhooks.paused} paused, ${webhooks.switched_off} disabled, ${webhooks.disabled_by_host} disabled by the operator`,
        "Events of the last 24 hours": `${formatShare(successRate(events))} delivered: ${describeOutcomes(events)}`,
        "Pending deliveries": deliveries.pending,
        "Oldest due for": seconds === null ? "none is due" : formatMs(seconds * 1_000),
      }}
    />
  );
}
