import type { ConsoleWebhook, Delivery } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { toApiFailure, toPath } from "../../api/console-api.ts";
import type { Query } from "../../api/console-api.ts";
import { Button } from "../../parts/buttons.tsx";
import { Endpoint } from "../../parts/cells.tsx";
import { ConfirmDialog } from "../../parts/dialogs.tsx";
import { useConsole } from "../../state/console-context.ts";
import { hrefTo } from "../../state/route.ts";
import { useRows } from "../../state/use-api.ts";

export interface BulkBarProps {
  readonly selected: readonly Delivery[];
  readonly query: Query;
  readonly onDone: () => void;
}

interface Progress {
  readonly done: number;
  readonly all: number;
}

/** What can be done with the selected deliveries. All that match are sent again by a recovery of their webhook. */
export function BulkBar({ selected, query, onDone }: BulkBarProps) {
  const { api, toast } = useConsole();
  const [isAsking, setAsking] = useState(false);
  const [progress, setProgress] = useState<Progress>();
  const refusals = useRefusals(selected);
  if (selected.length === 0) return null;
  const sendable = selected.filter(
    ({ kind, webhook_id }) => kind !== "test" && refusals[webhook_id] === undefined,
  );
  const { webhook_id } = query;
  const count = progress?.all ?? sendable.length;

  async function resend(): Promise<void> {
    let sent = 0;
    let refused: string | undefined;
    for (const [done, { id }] of sendable.entries()) {
      setProgress({ done, all: sendable.length });
      try {
        await api.post(toPath("deliveries", id, "resend"));
        sent += 1;
      } catch (error) {
        refused = toApiFailure(error).message;
      }
    }
    setProgress(undefined);
    toast(
      refused === undefined
        ? `${sent} sent again.`
        : `${sent} sent again, ${sendable.length - sent} refused: ${refused}`,
    );
  }
  return (
    <div class="bulk" role="group" aria-label="Selected deliveries">
      <strong>{selected.length} selected</strong>
      <Button changes disabled={sendable.length === 0} shortcut="r" onClick={() => setAsking(true)}>
        Resend
      </Button>
      {webhook_id ? (
        <a class="button" href={hrefTo(["webhooks", webhook_id], { do: "recover" })}>
          Recover all that failed …
        </a>
      ) : (
        <span class="quiet">To resend all that match, filter by one webhook.</span>
      )}
      <Button onClick={onDone}>Clear</Button>
      <RefusalNote selected={selected} refusals={refusals} />
      {isAsking ? (
        <ConfirmDialog
          title={count === 1 ? "Send this delivery again?" : `Send these ${count} deliveries again?`}
          confirm="Resend"
          kind="primary"
          onConfirm={resend}
          onDone={onDone}
          onClose={() => setAsking(false)}
        >
          {progress === undefined ? (
            <p>
              Each is sent as a new delivery with the same body. Your endpoint sees the same body id again.
            </p>
          ) : (
            <p>
              <progress aria-label="Sent again" value={progress.done} max={progress.all} />
              {progress.done} of {progress.all} sent again
            </p>
          )}
        </ConfirmDialog>
      ) : null}
    </div>
  );
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

/** Which webhooks of these deliveries accept no resends. Until they are loaded: none. */
function useRefusals(deliveries: readonly Delivery[]): Refusals {
  // All of an account: it has at most 50.
  const path = deliveries.length === 0 ? undefined : toPath("webhooks");
  const { data: webhooks } = useRows<ConsoleWebhook>(path, { limit: "100" });
  if (webhooks === undefined) return {};
  return Object.fromEntries(
    deliveries.map(({ webhook_id }) => {
      const webhook = webhooks.find(({ id }) => id === webhook_id);
      return [webhook_id, explainRefusal(webhook, webhook === undefined)];
    }),
  );
}

/**
 * Why nothing can be sent again to a webhook. Undefined: it can, as far as is known.
 *
 * @param isGone the webhook does not exist any more
 */
export function explainRefusal(webhook: ConsoleWebhook | undefined, isGone: boolean): string | undefined {
  const status: string | undefined = isGone ? "removed" : webhook?.status;
  if (status === "removed") return "the webhook was removed";
  if (status === "paused") return "the webhook is paused";
  if (status === "switched_off") return "the webhook is disabled";
  if (status === "disabled_by_host") return "the operator has disabled the webhook";
  return undefined;
}
