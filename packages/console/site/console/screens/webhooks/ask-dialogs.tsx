import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import type { ConfirmDialogProps } from "../../parts/confirm-dialog.tsx";

type AskProps = Pick<ConfirmDialogProps, "onConfirm" | "onDone" | "onClose">;

/** Asks before a webhook is paused. */
export function PauseDialog(props: AskProps) {
  return (
    <ConfirmDialog title="Pause this webhook?" confirm="Pause webhook" kind="primary" {...props}>
      <p>No events are sent while it is paused. Events that happen meanwhile are sent only by a recovery.</p>
    </ConfirmDialog>
  );
}

/** Asks before a webhook is deleted. */
export function DeleteDialog({ url, ...props }: AskProps & { readonly url: string }) {
  return (
    <ConfirmDialog title="Delete this webhook?" confirm="Delete webhook" kind="danger" {...props}>
      <p>
        Nothing is sent to <bdi>{url}</bdi> any more. Pending deliveries are cancelled, and the secret is
        deleted.
      </p>
    </ConfirmDialog>
  );
}
