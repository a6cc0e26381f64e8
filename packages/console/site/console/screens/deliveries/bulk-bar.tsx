import type { ConsoleWebhook, Delivery } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { toPath } from "../../api/console-api.ts";
import type { Query } from "../../api/console-api.ts";
import { Button } from "../../parts/buttons.tsx";
import { Endpoint } from "../../parts/cells.tsx";
import { formatCounted } from "../../parts/format.ts";
import { hrefTo } from "../../state/route.ts";
import { useRows } from "../../state/use-api.ts";
import { ResendDialog } from "./resend-dialog.tsx";
import type { ResendBody } from "./resend-dialog.tsx";

export interface BulkBarProps {
  readonly selected: readonly Delivery[];
  readonly query: Query;
  readonly onDone: () => void;
}

/** Deliveries that one job can name. */
const maximumChosen = 1_000;

/** What can be done with the selected deliveries. The server does it as one job. */
export function BulkBar({ selected, query, onDone }: BulkBarProps) {
  const [asked, setAsked] = useState<ResendBody>();
  const refusals = useRefusals(selected.map((each) => each.webhook_id));
  if (selected.length === 0) return null;
  const sendable = selected.filter(
    ({ kind, webhook_id }) => kind !== "test" && refusals[webhook_id] === undefined,
  );
  const { webhook_id } = query;
  const resend = (): void => setAsked({ filter: { delivery_ids: sendable.map(({ id }) => id) } });
  return (
    <div class="bulk" role="group" aria-label="Selected deliveries">
      <strong>{selected.length} selected</strong>
      <Button
        changes
        disabled={sendable.length === 0 || sendable.length > maximumChosen}
        shortcut="r"
        onClick={resend}
      >
        Resend
      </Button>
      {webhook_id && refusals[webhook_id] !== removed ? (
        <a class="button" href={hrefTo(["webhooks", webhook_id], { do: "recover" })}>
          Recover all that failed …
        </a>
      ) : null}
      <Button onClick={onDone}>Clear</Button>
      {sendable.length > maximumChosen ? (
        <span class="quiet">At most 1,000 can be chosen. Use filters for more.</span>
      ) : null}
      <RefusalNote selected={selected} refusals={refusals} />
      {asked === undefined ? null : (
        <ResendDialog body={asked} onDone={onDone} onClose={() => setAsked(undefined)} />
      )}
    </div>
  );
}

export interface ResendMatchingProps {
  /** The filters of the list, with times. */
  readonly query: Query;
  /** Undefined until they are known. */
  readonly numbers: Readonly<Record<"failed" | "cancelled", number>> | undefined;
  readonly onDone: () => void;
}

/** Sends all again that a filtered list matches. Nothing if the list has no filter, or a job cannot have it. */
export function ResendMatching({ query, numbers, onDone }: ResendMatchingProps) {
  const [asked, setAsked] = useState<ResendBody>();
  const filter = toResendFilter(query);
  const { webhook_id: webhook } = query;
  const refusals = useRefusals(webhook ? [webhook] : []);
  const { since: _since, until: _until, project_id: _site, ...filters } = query;
  if (numbers === undefined || filter === undefined || !Object.values(filters).some(Boolean)) return null;
  if (webhook && refusals[webhook] === removed) return null;
  const { outcome, status = outcome } = query;
  const count =
    status === "failed" || status === "cancelled" ? numbers[status] : numbers.failed + numbers.cancelled;
  if (count === 0 && asked === undefined) return null;
  return (
    <>
      <Button changes onClick={() => setAsked({ filter })}>
        {`Resend ${count === 1 ? "the one" : `these ${formatCounted(count)}`} that ${status ? "match" : "failed"} …`}
      </Button>
      {asked === undefined ? null : (
        <ResendDialog body={asked} onDone={onDone} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

/** What the filters of the list match, as a job takes them. Undefined: a job has no such filter. */
function toResendFilter({
  outcome,
  status,
  webhook_id,
  http_status,
  ...query
}: Query): ResendBody["filter"] | undefined {
  const { project_id, event, since, until, error, issue, q, ...others } = query;
  const wanted = outcome || status;
  if (["pending", "delivered", "not_sent"].includes(wanted ?? "") || Object.values(others).some(Boolean))
    return undefined;
  return {
    // An outcome counts events, as the tabs do. A status counts deliveries, resends among them.
    ...(outcome ? { outcome } : { statuses: status ? [status] : ["failed", "cancelled"] }),
    ...(webhook_id && { webhook_ids: [webhook_id] }),
    ...(http_status && { http_status: Number(http_status) }),
    ...Object.fromEntries(
      Object.entries({ project_id, event, since, until, error, issue, q }).filter(([, value]) => value),
    ),
  };
}

interface RefusalNoteProps {
  readonly selected: readonly Delivery[];
  readonly refusals: Refusals;
}

/** Which of the selected deliveries cannot be sent again, why, and where that can be changed. */
function RefusalNote({ selected, refusals }: RefusalNoteProps) {
  const tests = selected.filter(({ kind }) => kind === "test").length;
  const refused = Object.entries(refusals).flatMap(([id, reason]) => {
    const ofWebhook = selected.filter(({ webhook_id, kind }) => webhook_id === id && kind !== "test");
    const [first] = ofWebhook;
    if (reason === undefined || first === undefined) return [];
    return [{ id, reason, count: ofWebhook.length, url: first.target_url }];
  });
  if (tests === 0 && refused.length === 0) return null;
  return (
    <ul class="refusals quiet" aria-label="Not sent again">
      {refused.map(({ id, reason, count, url }) => (
        <li key={id}>
          {count} cannot be sent again: {reason}.{" "}
          <a href={hrefTo(["webhooks", id])}>
            <Endpoint url={url} />
          </a>
        </li>
      ))}
      {tests === 0 ? null : <li>{tests === 1 ? "1 test is" : `${tests} tests are`} not sent again.</li>}
    </ul>
  );
}

/** Why nothing can be sent again, by the id of the webhook. */
type Refusals = Readonly<Record<string, string | undefined>>;

/** Which of these webhooks accept no resends. Until they are loaded: none. */
function useRefusals(ids: readonly string[]): Refusals {
  // All of an account: it has at most 50.
  const path = ids.length === 0 ? undefined : toPath("webhooks");
  const { data: webhooks } = useRows<ConsoleWebhook>(path, { limit: "100" });
  if (webhooks === undefined) return {};
  return Object.fromEntries(
    ids.map((id) => {
      const webhook = webhooks.find((each) => each.id === id);
      return [id, explainRefusal(webhook, webhook === undefined)];
    }),
  );
}

const removed = "the webhook was removed";

/**
 * Why nothing can be sent again to a webhook. Undefined: it can, as far as is known.
 *
 * @param isGone the webhook does not exist any more
 */
export function explainRefusal(webhook: ConsoleWebhook | undefined, isGone: boolean): string | undefined {
  const status: string | undefined = isGone ? "removed" : webhook?.status;
  if (status === "removed") return removed;
  if (status === "paused") return "the webhook is paused";
  if (status === "switched_off") return "the webhook is disabled";
  if (status === "disabled_by_host") return "the operator has disabled the webhook";
  return undefined;
}
