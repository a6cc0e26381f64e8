import { countNotDelivered, formatMs, successRate } from "@hookwright/domain";
import type { HostAccount, HostWebhook, Ledger, Person, ReadAccount } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { Endpoint } from "../parts/cells.tsx";
import { describeOutcomes } from "../parts/describe-outcomes.ts";
import { PeriodPicker } from "../parts/fields.tsx";
import { formatCount, formatShare } from "../parts/format.ts";
import { Facts, Pending, ScreenHeader } from "../parts/page.tsx";
import { personColumns, PersonName } from "../parts/people.tsx";
import { PagedTable } from "../parts/paged-table.tsx";
import { Ago, Time } from "../parts/time.tsx";
import { AuditTable } from "../screens/activity/audit-table.tsx";
import { periodNames, useConsole } from "../state/console-context.ts";
import { withTimes } from "../state/ledger.ts";
import { hrefTo } from "../state/route.ts";
import { useGet } from "../state/use-api.ts";
import { usePages } from "../state/use-pages.ts";
import type { Pages } from "../state/use-pages.ts";
import { AccountLimitFacts } from "./account-limits.tsx";
import { AccountStatus } from "./account-status.tsx";
import { AuditExport } from "./audit-page.tsx";
import { ErasePerson } from "./erase-person.tsx";
import { OpenConsole, OpenToChange } from "./open-console.tsx";
import { webhookActions, webhookColumns } from "./webhook-columns.tsx";

export interface AccountPageProps {
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
}

/** One account: what became of its events, its webhooks, its limits, and what happened on it. */
export function AccountPage({ id, query }: AccountPageProps) {
  const { period } = useConsole();
  const path = `host/v1/accounts/${encodeURIComponent(id)}`;
  const account = useGet<ReadAccount>(path);
  const webhooks = usePages<HostWebhook>("host/v1/webhooks", { limit: "50", account_id: id });
  const ledger = useGet<Ledger>(`${path}/ledger`, { ...withTimes({ period }), by: "webhook" }, period);
  const { data } = account;
  /** How often something was changed here: then the audit log is read again. */
  const [changes, setChanges] = useState(0);
  const change = (): void => {
    ledger.reload();
    setChanges(changes + 1);
  };
  return (
    <>
      <ScreenHeader tab={`Account ${id}`} title={data?.name ?? id}>
        {account.failure === undefined ? (
          <>
            <OpenConsole accountId={id} />
            <OpenToChange accountId={id} />
          </>
        ) : null}
      </ScreenHeader>
      <p>
        <a href={hrefTo(["operator"])}>All accounts</a>
      </p>
      <Pending of={account} rem={8} />
      {data === undefined ? null : <AccountFacts account={data} />}
      {account.failure === undefined ? (
        <>
          <section>
            <h2>Events</h2>
            <PeriodPicker />
            <Pending of={ledger} />
            {ledger.data === undefined ? null : <LedgerFacts ledger={ledger.data} />}
          </section>
          <section>
            <h2>Webhooks</h2>
            <WebhooksOfAccount
              pages={webhooks}
              ledger={ledger.data}
              onChanged={() => {
                webhooks.reload();
                change();
              }}
            />
          </section>
          <section>
            <h2>People</h2>
            <PeopleOfAccount path={`${path}/people`} />
          </section>
          {data === undefined ? null : (
            <section>
              <h2>Limits</h2>
              <AccountLimitFacts
                account={data}
                onChanged={() => {
                  account.reload();
                  change();
                }}
              />
            </section>
          )}
          <section>
            <h2>Data of a person</h2>
            <ErasePerson path={path} onStarted={change} />
          </section>
          <section>
            <h2>Audit log</h2>
            <div class="actions">
              <AuditExport query={{ ...query, account_id: id }} />
            </div>
            <AuditTable
              key={changes}
              path="host/v1/audit"
              query={{ ...query, account_id: id }}
              isWaiting={webhooks.rows === undefined && webhooks.failure === undefined}
              showTarget={({ target }) => {
                const webhook = webhooks.rows?.find((each) => each.id === target.id);
                if (webhook !== undefined) return <Endpoint url={webhook.target_url} name={webhook.name} />;
                return target.id === null ? null : <code>{target.id}</code>;
              }}
            />
          </section>
        </>
      ) : null}
    </>
  );
}

function AccountFacts({ account }: { readonly account: HostAccount }) {
  const { id, email, status, plan, timezone, demo, created_at } = account;
  return (
    <Facts
      facts={{
        Id: <code>{id}</code>,
        Status: <AccountStatus status={status} />,
        "E-mail": <bdi>{email}</bdi>,
        Plan: <bdi>{plan.name}</bdi>,
        "Time zone": timezone,
        Demo: demo ? "Yes: nobody can change anything in its console" : undefined,
        Created: <Time at={created_at} />,
      }}
    />
  );
}

function LedgerFacts({ ledger: { totals } }: { readonly ledger: Ledger }) {
  const { period } = useConsole();
  return (
    <Facts
      facts={{
        [`Delivered in ${periodNames[period]}`]: formatShare(successRate(totals)),
        Events: describeOutcomes(totals),
        "Not delivered": formatCount(countNotDelivered(totals)),
        "Response time, p95": totals.p95_ms === null ? undefined : formatMs(totals.p95_ms),
      }}
    />
  );
}

interface WebhooksOfAccountProps {
  readonly pages: Pages<HostWebhook>;
  /** With the numbers of each webhook. */
  readonly ledger: Ledger | undefined;
  readonly onChanged: () => void;
}

function WebhooksOfAccount({ pages, ledger, onChanged }: WebhooksOfAccountProps) {
  return (
    <PagedTable
      caption="Webhooks of the account, newest first"
      columns={[
        ...webhookColumns,
        {
          name: "Events",
          place: "detail",
          cell: ({ id }) => {
            const numbers = ledger?.webhooks?.find(({ webhook_id }) => webhook_id === id);
            return numbers === undefined ? "no event" : describeOutcomes(numbers);
          },
        },
        {
          name: "Since",
          isWide: true,
          cell: ({ status_changed_at, created_at }) => <Ago at={status_changed_at ?? created_at} />,
        },
        webhookActions(onChanged),
      ]}
      pages={pages}
      empty={<p>No webhooks.</p>}
    />
  );
}

function PeopleOfAccount({ path }: { readonly path: string }) {
  return (
    <PagedTable
      caption="People of the account"
      columns={[
        { name: "Name", kind: "name", place: "title", cell: (person) => <PersonName of={person} /> },
        ...personColumns,
      ]}
      pages={usePages<Person>(path)}
      empty={null}
    />
  );
}
