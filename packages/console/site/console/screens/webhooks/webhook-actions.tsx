import type { ConsoleWebhook } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { hrefTo } from "../../state/use-route.ts";
import { mayTest } from "./may-test.ts";
import { DeleteDialog, PauseDialog } from "./ask-dialogs.tsx";
import { EditWebhookDialog } from "./edit-webhook-dialog.tsx";
import type { WebhookChanges } from "./edit-webhook-dialog.tsx";

export interface WebhookActionsProps {
  readonly webhook: ConsoleWebhook;
  readonly busy: boolean;
  readonly onTest: () => void;
  readonly onPause: () => Promise<void>;
  readonly onEdit: (changes: WebhookChanges) => Promise<void>;
  readonly onDelete: () => Promise<unknown>;
}

/** What can be done with a webhook. What interrupts it is asked first. The banner turns it on. */
export function WebhookActions({ webhook, busy, onTest, onPause, onEdit, onDelete }: WebhookActionsProps) {
  const { status, target_url } = webhook;
  const [asking, setAsking] = useState<"edit" | "pause" | "delete">();
  const close = (): void => setAsking(undefined);
  return (
    <>
      <CopyButton text={target_url}>Copy URL</CopyButton>
      <Button changes busy={busy} disabled={!mayTest(status)} onClick={onTest}>
        Send test
      </Button>
      {status === "active" ? (
        <Button changes busy={busy} onClick={() => setAsking("pause")}>
          Pause
        </Button>
      ) : null}
      <Button changes onClick={() => setAsking("edit")}>
        Edit
      </Button>
      <Button changes kind="danger" onClick={() => setAsking("delete")}>
        Delete
      </Button>
      {asking === "edit" ? <EditWebhookDialog webhook={webhook} onSave={onEdit} onClose={close} /> : null}
      {asking === "pause" ? <PauseDialog onConfirm={onPause} onClose={close} /> : null}
      {asking === "delete" ? (
        <DeleteDialog
          url={target_url}
          onConfirm={async () => void (await onDelete())}
          onDone={() => (location.hash = hrefTo(["webhooks"]))}
          onClose={close}
        />
      ) : null}
    </>
  );
}
