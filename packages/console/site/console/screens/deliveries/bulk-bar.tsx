import type { Delivery } from "@hookwright/domain";
import { useState } from "preact/hooks";
import type { Query } from "../../api/console-api.ts";
import { toApiFailure } from "../../api/api-failure.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { useConsole } from "../../state/console-context.ts";
import { hrefTo } from "../../state/use-route.ts";
import { RefusalNote } from "./refusal-note.tsx";
import { useRefusals } from "./use-refusals.ts";

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
        await api.post(`console/api/deliveries/${encodeURIComponent(id)}/resend`);
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
