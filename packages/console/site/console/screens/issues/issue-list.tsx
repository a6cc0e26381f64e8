import { describeError } from "@hookwright/domain";
import type { Issue, IssueStatus } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { toPath } from "../../api/console-api.ts";
import { Answer, WebhookLink } from "../../parts/cells.tsx";
import type { WebhookLinkProps } from "../../parts/cells.tsx";
import { formatCount } from "../../parts/format.ts";
import { Menu } from "../../parts/menu.tsx";
import { FailureNote, Pending } from "../../parts/page.tsx";
import { Ago } from "../../parts/time.tsx";
import { periodNames, useConsole, useMayChange } from "../../state/console-context.ts";
import { withTimes } from "../../state/ledger.ts";
import { hrefTo } from "../../state/route.ts";
import { useAction, useGet } from "../../state/use-api.ts";
import { useLiveReload } from "../../state/use-live.ts";
import { ResendDialog } from "../deliveries/resend-dialog.tsx";

export interface IssueListProps {
  /** Only issues of this webhook. @default all */
  readonly webhookId?: string;
  /** The webhooks that are named. @default none, because all issues are of one webhook */
  readonly webhooks?: readonly WebhookLinkProps["webhook"][];
  /** Called after somebody has acknowledged, ignored or opened an issue. */
  readonly onMarked?: () => void;
}

const shownAtFirst = 5;

/** Equal failures as one row each, in the chosen period. A click opens exactly their deliveries. */
export function IssueList({ webhookId, webhooks = [], onMarked }: IssueListProps) {
  const { api, period, site } = useConsole();
  const [areIgnored, showIgnored] = useState(false);
  const [areAllShown, showAll] = useState(false);
  const [resent, resend] = useState<Issue>();
  const { busy, failure, run } = useAction();
  const query = {
    webhook_id: webhookId,
    project_id: webhookId === undefined ? site : undefined,
    status: areIgnored ? "ignored" : undefined,
    period,
  };
  const { since, ...filters } = withTimes(query);
  const issues = useGet<readonly Issue[]>(toPath("issues"), { ...filters, since }, JSON.stringify(query));
  useLiveReload(issues.refresh, ({ type }) => type === "delivery", 5_000);
  const mark = async (id: string, status: IssueStatus): Promise<void> => {
    await run(() => api.patch(toPath("issues", id), { status }));
    issues.reload();
    onMarked?.();
  };
  const all = issues.data ?? [];
  const shown = areAllShown ? all : all.slice(0, shownAtFirst);
  return (
    <section class="panel" aria-label="Issues" aria-busy={busy}>
      <h2>Issues in {periodNames[period]}</h2>
      <Pending of={issues} />
      <FailureNote failure={failure} />
      {issues.data?.length === 0 ? (
        <p class="quiet">{areIgnored ? "No issue is ignored." : "No attempt failed."}</p>
      ) : null}
      <ul class="lines issues">
        {shown.map((issue) => (
          <IssueRow
            key={issue.id}
            issue={issue}
            webhook={webhooks.find(({ id }) => id === issue.webhook_id)}
            onMark={(status) => void mark(issue.id, status)}
            onResend={() => resend(issue)}
          />
        ))}
      </ul>
      <p class="more">
        {shown.length === all.length ? null : (
          <button type="button" class="link" onClick={() => showAll(true)}>
            {all.length - shown.length} more
          </button>
        )}
        <button type="button" class="link" aria-pressed={areIgnored} onClick={() => showIgnored(!areIgnored)}>
          {areIgnored ? "Show the others" : "Show ignored ones"}
        </button>
      </p>
      {resent === undefined ? null : (
        <ResendDialog
          body={{ filter: toResendFilter(resent) }}
          onDone={() => resend(undefined)}
          onClose={() => resend(undefined)}
        />
      )}
    </section>
  );
}

const marks = [
  ["Acknowledge", "acknowledged"],
  ["Ignore", "ignored"],
  ["Open again", "open"],
] as const;

/** The deliveries of an issue that were not accepted. */
function toResendFilter({ id: issue, deliveries_since: since }: Issue) {
  return { statuses: ["failed", "cancelled"], issue, since };
}

interface IssueRowProps {
  readonly issue: Issue;
  readonly webhook: WebhookLinkProps["webhook"] | undefined;
  readonly onMark: (status: IssueStatus) => void;
  readonly onResend: () => void;
}

function IssueRow({ issue, webhook, onMark, onResend }: IssueRowProps) {
  const isAllowed = useMayChange();
  const { id, webhook_id, status, http_status, error, deliveries, first_at, last_at } = issue;
  const text = issue.response ?? explain(issue);
  return (
    <li>
      {error === null ? <span class="quiet">–</span> : <Answer status={http_status} error={error} />}
      <a
        class={issue.response === null ? "what" : "what quote"}
        title={text}
        href={hrefTo(["deliveries"], { webhook_id, issue: id, since: issue.deliveries_since })}
      >
        {text}
      </a>
      {webhook === undefined ? null : <WebhookLink webhook={webhook} />}
      {status === "open" ? null : <span class="badge">{status}</span>}
      <span class="number">
        {formatCount(deliveries)} {deliveries === 1 ? "delivery" : "deliveries"}
      </span>
      <span class="quiet" title={`First at ${first_at}`}>
        <Ago at={last_at} />
      </span>
      <Menu
        label={`Actions for the issue ${text}`}
        items={[
          { text: "Resend these …", isAllowed, onChoose: onResend },
          ...marks
            .filter(([, to]) => to !== status)
            .map(([text, to]) => ({ text, isAllowed, onChoose: () => onMark(to) })),
        ]}
      />
    </li>
  );
}

function explain({ http_status, error }: Issue): string {
  if (error === null) return "Other failures";
  return http_status === null ? describeError(error) : "Empty response";
}
