import type { ComponentChildren } from "preact";
import { useAction } from "../state/use-action.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { FailureNote } from "./failure-note.tsx";

export interface ConfirmDialogProps {
  readonly title: ComponentChildren;
  /** The consequences of the action. */
  readonly children: ComponentChildren;
  /** The label of the confirm button, a verb. */
  readonly confirm: string;
  readonly kind: "danger" | "primary";
  /** True if something must be entered first. */
  readonly disabled?: boolean;
  readonly onConfirm: () => Promise<void>;
  /** Called after success, unless the user has left the screen. */
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

/** Asks for confirmation before an action that cannot be undone. */
export function ConfirmDialog({
  title,
  children,
  confirm,
  kind,
  disabled = false,
  onConfirm,
  onDone,
  onClose,
}: ConfirmDialogProps) {
  const action = useAction();
  const go = async (): Promise<void> => {
    if (!(await action.run(onConfirm))) return;
    onClose();
    onDone?.();
  };
  return (
    // It stays open until the response arrives, because it shows the error.
    <Dialog title={title} onClose={action.busy ? undefined : onClose}>
      {children}
      <FailureNote failure={action.failure} />
      <div class="actions end">
        <Button busy={action.busy} onClick={onClose}>
          Cancel
        </Button>
        <Button kind={kind} busy={action.busy} disabled={disabled} onClick={go}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
