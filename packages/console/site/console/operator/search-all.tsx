import type { HostSearch } from "@hookwright/domain";
import { DeliveryStatus } from "../parts/cells.tsx";
import { DataTable } from "../parts/data-table.tsx";
import type { Column } from "../parts/data-table.tsx";
import { SearchField } from "../parts/fields.tsx";
import { FailureNote, Loading, ScreenHeader } from "../parts/page.tsx";
import { Ago } from "../parts/time.tsx";
import { useConsole } from "../state/console-context.ts";
import { hrefTo, replaceQuery } from "../state/route.ts";
import { useResource } from "../state/use-api.ts";
import { AccountLink } from "./account-status.tsx";
import { OpenConsole } from "./open-console.tsx";
import { webhookActions, webhookColumns } from "./webhook-columns.tsx";

/** Searches accounts, webhooks and deliveries over all accounts. */
export function SearchAll({
  query: { q = "", cursor },
}: {
  readonly query: Readonly<Record<string, string>>;
}) {
  const { api } = useConsole();
  const {
    data: page,
    failure,
    reload,
  } = useResource(`${q} ${cursor}`, async (signal) => {
    if (q === "") return undefined;
    // A request searches a part of the accounts.
    for (let from: string | undefined = cursor; ;) {
      const part = await api.getPage<HostSearch>("host/v1/search", { query: { q, cursor: from }, signal });
      from = part.meta.next_cursor ?? undefined;
      if (from === undefined || countFound(part.data) > 0) return part;
    }
  });
  const next = page?.meta.next_cursor ?? null;
  return (
    <>
      <ScreenHeader title="Search" />
      <div class="filter-line">
        <SearchField
          label="Account, record, order number, e-mail, URL or id"
          text={q}
          onSearch={(text) => replaceQuery({ q: text, cursor: "" })}
        />
      </div>
      <p class="quiet" role="status">
        {page === undefined
          ? ""
          : `${countFound(page.data) || "Nothing"} found${next === null ? "" : " so far"}.`}
      </p>
      <FailureNote failure={failure} onRetry={reload} />
      {q !== "" && page === undefined && failure === undefined ? <Loading /> : null}
      {page === undefined ? null : <Results found={page.data} onChanged={reload} />}
      {next === null ? null : (
        <p class="actions">
          <a class="button" href={hrefTo(["operator", "search"], { q, cursor: next })}>
            Search more accounts
          </a>
        </p>
      )}
    </>
  );
}

function countFound({ accounts, webhooks, deliveries }: HostSearch): number {
  return accounts.length + webhooks.length + deliveries.length;
}

interface ResultsProps {
  readonly found: HostSearch;
  /** Called after a webhook was changed. */
  readonly onChanged: () => void;
}

function Results({ found: { accounts, webhooks, deliveries }, onChanged }: ResultsProps) {
  return (
    <>
      <Part
        caption="Accounts"
        rows={accounts}
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
          { name: "Matched", cell: ({ matched }) => matched },
          { name: "Console", place: "detail", cell: ({ id }) => <OpenConsole accountId={id} /> },
        ]}
      />
      <Part
        caption="Webhooks"
        rows={webhooks}
        columns={[
          ...webhookColumns,
          { name: "Matched", cell: ({ matched }) => matched },
          accountColumn,
          webhookActions(onChanged),
        ]}
      />
      <Part
        caption="Deliveries"
        rows={deliveries}
        columns={[
          { name: "Status", place: "mark", cell: (delivery) => <DeliveryStatus delivery={delivery} /> },
          { name: "Event", cell: ({ event }) => event },
          {
            name: "Record",
            kind: "name",
            place: "title",
            cell: ({ id, record_id }) => (
              <>
                <bdi>{record_id}</bdi> <code>{id}</code>
              </>
            ),
          },
          { name: "Created", cell: ({ created_at }) => <Ago at={created_at} /> },
          { name: "Matched", cell: ({ matched }) => matched.replace("_", " ") },
          accountColumn,
          {
            name: "Console",
            place: "detail",
            cell: ({ id, account_id }) => <OpenConsole accountId={account_id} path={["deliveries", id]} />,
          },
        ]}
      />
    </>
  );
}

const accountColumn: Column<{ readonly account_id: string }> = {
  name: "Account",
  kind: "name",
  place: "detail",
  cell: ({ account_id }) => <AccountLink id={account_id} />,
};

interface PartProps<Row> {
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
}

function Part<Row extends { readonly id: string }>({ caption, rows, columns }: PartProps<Row>) {
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>{caption}</h2>
      <DataTable caption={caption} columns={columns} rows={rows} keyOf={({ id }) => id} />
    </section>
  );
}
