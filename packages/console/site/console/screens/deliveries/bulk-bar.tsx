import type { Delivery } from "@hookwright/domain";
import { useState } from "preact/hooks";
import type { Query } from "../../api/console-api.ts";
import { toApiFailure } from "../../api/api-failure.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { useConsole } from "../../state/console-context.ts";
import { hrefTo } from "../../state/use-route.ts";

export interface BulkBarProps {
  readonly selected: readonly Delivery[];
  readonly query: Query;
  readonly onDone: () => void;
}

/** What can be done with the selected deliveries. All that match are sent again by a recovery of their webhook. */
export function BulkBar({ selected, query, onDone }: BulkBarProps) {
  const { api, toast } = useConsole();
  const [isAsking, setAsking] = useState(false);
  if (selected.length === 0) return null;
  const sendable = selected.filter(({ kind }) => kind !== "test");
  const { webhook_id } = query;

  async function resend(): Promise<void> {
    let count = 0;
    let refused: string | undefined;
    for (const { id } of sendable) {
      try {
        await api.post(`console/api/deliveries/${encodeURIComponent(id)}/resend`);
        count += 1;
      } catch (error) {
        refused = toApiFailure(error).message;
      }
    }
    toast(
      refused === undefined
        ? `${count} sent again.`
        : `${count} sent again, ${sendable.length - count} refused: ${refused}`,
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
      {isAsking ? (
        <ConfirmDialog
          title={
            sendable.length === 1
              ? "Send this delivery again?"
              : `Send these ${sendable.length} deliveries again?`
          }
          confirm="Resend"
          kind="primary"
          onConfirm={resend}
          onDone={onDone}
          onClose={() => setAsking(false)}
        >
          <p>Each is sent as a new delivery with the same body. Your endpoint sees the same body id again.</p>
        </ConfirmDialog>
      ) : null}
    </div>
  );
}
