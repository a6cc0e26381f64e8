import type { AuditEntry } from "@hookwright/domain";
import type { Column } from "../../parts/data-table.tsx";
import { Choice } from "../../parts/fields.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { Ago } from "../../parts/time.tsx";
import { replaceQuery } from "../../state/route.ts";
import { usePages } from "../../state/use-pages.ts";

export interface AuditTableProps {
  readonly path: "console/api/audit" | "host/v1/audit";
  readonly query: Readonly<Record<string, string>>;
  /** A column before the actor. */
  readonly account?: Column<AuditEntry>;
  /** @default the id */
  readonly showTarget?: Column<AuditEntry>["cell"];
}

const showId: Column<AuditEntry>["cell"] = ({ target }) =>
  target.id === null ? null : <code>{target.id}</code>;

/** Who changed what, newest first. */
export function AuditTable({ path, query, account, showTarget = showId }: AuditTableProps) {
  const { action, account_id } = query;
  const pages = usePages<AuditEntry>(path, { limit: "50", action, account_id });
  return (
    <>
      <div class="filter-line">
        <Choice
          label="Change"
          value={action}
          onChoose={(value) => replaceQuery({ action: value })}
          choices={Object.entries(actionTexts)}
        />
      </div>
      <PagedTable
        caption="Changes, newest first"
        columns={[
          {
            name: "Change",
            place: "title",
            cell: (entry) => (
              <>
                {actionTexts[entry.action]}
                {entry.changed.length === 0 ? null : (
                  <span class="quiet"> {entry.changed.join(", ").replaceAll("_", " ")}</span>
                )}
              </>
            ),
          },
          {
            name: "What",
            kind: "url",
            place: "detail",
            cell: showTarget,
          },
          ...(account === undefined ? [] : [account]),
          { name: "Who", place: "detail", cell: ({ actor }) => <bdi>{describeActor(actor)}</bdi> },
          { name: "Time", place: "mark", cell: ({ at }) => <Ago at={at} /> },
        ]}
        pages={pages}
        readOnly
        empty={<p>No changes.</p>}
      />
    </>
  );
}

/** What an action is, in words. */
export const actionTexts: Readonly<Record<AuditEntry["action"], string>> = {
  "account.created": "Account created",
  "account.updated": "Account changed",
  "account.deleted": "Account deleted",
  "api_key.created": "API key created",
  "api_key.revoked": "API key revoked",
  "console_link.created": "Link to the console created",
  "console_sessions.ended": "All sessions of the console ended",
  "delivery.resent": "Delivery sent again",
  "delivery.shared": "Link to a delivery created",
  "delivery.share_revoked": "Link to a delivery revoked",
  "email_list.created": "E-mail list created",
  "email_list.updated": "E-mail list changed",
  "issue.acknowledged": "Issue acknowledged",
  "issue.ignored": "Issue ignored",
  "issue.reopened": "Issue opened again",
  "listener.created": "Listener opened",
  "project.created": "Site created",
  "project.updated": "Site changed",
  "record.deleted": "Record deleted",
  "recovery.started": "Recovery started",
  "recovery.stopped": "Recovery stopped",
  "resend.started": "Resend of several deliveries started",
  "resend.stopped": "Resend of several deliveries stopped",
  "sign_in.failed": "Failed sign-in",
  "suppression.created": "Address suppressed",
  "suppression.updated": "Suppression changed",
  "suppression.deleted": "Suppression removed",
  "webhook.created": "Webhook created",
  "webhook.updated": "Webhook changed",
  "webhook.deleted": "Webhook removed",
  "webhook.paused": "Webhook paused",
  "webhook.resumed": "Webhook resumed",
  "webhook.disabled": "Webhook disabled by the operator",
  "webhook.enabled": "Webhook enabled by the operator",
  "webhook.turned_on": "Webhook turned on",
  "webhook.tested": "Test sent",
  "webhook.rotation_started": "Secret rotation started",
  "webhook.rotation_finished": "Secret rotation finished",
  "webhook.rotation_cancelled": "Secret rotation cancelled",
  "webhook_action.started": "Action on many webhooks started",
  "webhook_action.stopped": "Action on many webhooks stopped",
};

/** Who made a change, in words. */
export function describeActor({ kind, id, name }: AuditEntry["actor"]): string {
  switch (kind) {
    case "host":
      return `Host token ${name}`;
    case "program":
      return "Host program";
    case "owner":
      return "Account owner";
    case "link":
      return name === null ? "Link to the console" : `Link by ${name}`;
    case "api_key":
      return `API key ${id}`;
    case "client":
      return "Somebody without a valid password";
  }
}
