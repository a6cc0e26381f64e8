import type { HostAccount, HostStats } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { Facts } from "../parts/facts.tsx";
import { FailureNote } from "../parts/failure-note.tsx";
import { Field } from "../parts/field.tsx";
import { formatDuration } from "../parts/format-duration.ts";
import { PagedTable } from "../parts/paged-table.tsx";
import { ScreenHeader } from "../parts/screen-header.tsx";
import { Ago } from "../parts/time.tsx";
import { useConsole } from "../state/console-context.ts";
import { usePages } from "../state/use-pages.ts";
import { useResource } from "../state/use-resource.ts";
import { hrefTo, replaceQuery } from "../state/use-route.ts";
import { useTitle } from "../state/use-title.ts";
import { OpenAccount } from "./open-account.tsx";

/** All accounts, with numbers over all of them. */
export function AccountList({
  query: { q = "", status },
}: {
  readonly query: Readonly<Record<string, string>>;
}) {
  useTitle("Accounts");
  const pages = usePages<HostAccount>("host/v1/accounts", { limit: "50", q, status });
  const [text, setText] = useState(q);
  return (
    <>
      <ScreenHeader title="Accounts">
        <Button onClick={pages.reload}>Refresh</Button>
      </ScreenHeader>
      <Stats />
      <form
        class="filter-line"
        onSubmit={(event) => {
          event.preventDefault();
          replaceQuery({ q: text });
        }}
      >
        <Field label="Id, name or e-mail">
          {(control) => (
            <input
              {...control}
              type="search"
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          )}
        </Field>
        <Choice
          label="Status"
          value={status}
          onChoose={(value) => replaceQuery({ status: value })}
          choices={[
            ["active", "Active"],
            ["suspended", "Suspended"],
          ]}
        />
        <Button type="submit">Search</Button>
      </form>
      <PagedTable
        caption="Accounts, by id"
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
  const { api } = useConsole();
  const { data, failure, reload } = useResource("stats", (signal) =>
    api.get<HostStats>("host/v1/stats", { signal }),
  );
  if (data === undefined) return <FailureNote failure={failure} onRetry={reload} />;
  const { accounts, webhooks, deliveries } = data;
  const { oldest_due_seconds: seconds } = deliveries;
  return (
    <Facts
      facts={[
        ["Accounts", accounts],
        [
          "Webhooks",
          `${webhooks.active} active, ${webhooks.paused} paused, ${webhooks.switched_off} disabled, ${webhooks.disabled_by_host} disabled by the operator`,
        ],
        ["Pending deliveries", deliveries.pending],
        ["Oldest due for", seconds === null ? "none is due" : formatDuration(seconds * 1_000)],
      ]}
    />
  );
}
