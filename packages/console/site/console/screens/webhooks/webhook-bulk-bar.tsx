import type { ListedConsoleWebhook } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { BulkDialog } from "./bulk-dialog.tsx";
import { bulkActions } from "./bulk-actions.ts";
import type { BulkAction } from "./bulk-actions.ts";

export interface WebhookBulkBarProps {
  readonly selected: readonly ListedConsoleWebhook[];
  readonly onClear: () => void;
  readonly onChanged: () => void;
}

/** What can be done with the selected webhooks. An action concerns those whose status allows it. */
export function WebhookBulkBar({ selected, onClear, onChanged }: WebhookBulkBarProps) {
  const [asking, setAsking] = useState<{
    readonly action: BulkAction;
    readonly webhooks: readonly ListedConsoleWebhook[];
  }>();
  return (
    <>
      {selected.length === 0 ? null : (
        <div class="bulk" role="group" aria-label="Selected webhooks">
          <strong>{selected.length} selected</strong>
          {bulkActions.map((action) => {
            const webhooks = selected.filter(action.isFor);
            if (webhooks.length === 0) return null;
            return (
              <Button
                key={action.text}
                changes
                kind={action.isDanger === true ? "danger" : "plain"}
                onClick={() => setAsking({ action, webhooks })}
              >
                {webhooks.length === selected.length ? action.text : `${action.text} ${webhooks.length}`}
              </Button>
            );
          })}
          <Button onClick={onClear}>Clear</Button>
        </div>
      )}
      {asking === undefined ? null : (
        <BulkDialog {...asking} onChanged={onChanged} onDone={onClear} onClose={() => setAsking(undefined)} />
      )}
    </>
  );
}
