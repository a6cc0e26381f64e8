import { successRate, formatMs } from "@hookwright/domain";
import type { ConsoleLink, HostAccount, HostStats, ListedAccount } from "@hookwright/domain";
import { Button } from "../parts/buttons.tsx";
import type { Column } from "../parts/data-table.tsx";
import { Choice, PeriodPicker, SearchField } from "../parts/fields.tsx";
import { describeOutcomes } from "../parts/describe-outcomes.ts";
import { formatShare } from "../parts/format.ts";
import { Facts, FailureNote, ScreenHeader } from "../parts/page.tsx";
import { PagedTable } from "../parts/paged-table.tsx";
import { Ago } from "../parts/time.tsx";
import { readPeriod, useConsole } from "../state/console-context.ts";
import { hrefTo, replaceQuery } from "../state/route.ts";
import { useAction, useGet } from "../state/use-api.ts";
import { usePages } from "../state/use-pages.ts";

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
          ]}
        />
        {sort === "" ? null : <PeriodPicker />}
      </div>
      <PagedTable
        caption={sort === "" ? "Accounts, by id" : "Accounts with events, most first"}
        columns={[
          {
            name: "Account",
            kind: "name",
            place: "title",
            cell: ({ id, name }) => (
              <>
                <bdi>{name}</bdi> <code>{id}</code>
              </>
            ),
          },
          { name: "Status", place: "mark", cell: ({ status: now }) => <AccountStatus status={now} /> },
          { name: "Plan", kind: "name", isWide: true, cell: ({ plan }) => <bdi>{plan.name}</bdi> },
          ...(sort === "" ? [] : ledgerColumns),
          { name: "Created", isWide: true, cell: ({ created_at }) => <Ago at={created_at} /> },
          {
            name: "Changes",
            place: "detail",
            cell: ({ id }) => (
              <a href={hrefTo(["operator", "audit"], { account_id: id })} aria-label={`Changes of ${id}`}>
                Changes
              </a>
            ),
          },
          { name: "Console", place: "detail", cell: ({ id }) => <OpenAccount accountId={id} /> },
        ]}
        pages={pages}
        empty={<p>No matching accounts.</p>}
      />
    </>
  );
}

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

function AccountStatus({ status }: { readonly status: HostAccount["status"] }) {
  const isActive = status === "active";
  return (
    <span class={`status ${isActive ? "good" : "bad"}`}>
      <i aria-hidden="true">{isActive ? "●" : "✕"}</i>
      {isActive ? "Active" : "Suspended"}
    </span>
  );
}

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

/** Opens the console of an account in another tab, with a link that works once and changes nothing. */
export function OpenAccount({ accountId }: { readonly accountId: string }) {
  const { api } = useConsole();
  const action = useAction();
  const open = (): Promise<boolean> =>
    action.run(async () => {
      const path = `host/v1/accounts/${encodeURIComponent(accountId)}/console-sessions`;
      const { url } = await api.post<ConsoleLink>(path, { read_only: true });
      // This page has the path of the console also below a proxy that removes a prefix, and the link has not.
      const here = new URL(new URL(url, location.origin).hash, location.href);
      // The other tab must not reach the host token of this one.
      window.open(here, "_blank", "noopener");
    });
  return (
    <>
      <Button busy={action.busy} label={`Open console of ${accountId}`} onClick={() => void open()}>
        Open console
      </Button>
      <FailureNote failure={action.failure} />
    </>
  );
}
