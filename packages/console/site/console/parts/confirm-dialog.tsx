import type { ComponentChildren } from "preact";
import { useAction } from "../state/use-action.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { FailureNote } from "./failure-note.tsx";

export interface ConfirmDialogProps {
  readonly title: ComponentChildren;
  /** What happens, in a sentence that lets the reader decide. */
  readonly children: ComponentChildren;
  /** The verb on the button. */
  readonly confirm: string;
  readonly kind: "danger" | "primary";
  readonly onConfirm: () => Promise<void>;
  /** Called once it is done, where the reader is still here. */
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

/** Asks before what cannot be undone. */
export function ConfirmDialog({
  title,
  children,
  confirm,
  kind,
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
    // Closed before the answer is there, it could not say that this was refused.
    <Dialog title={title} onClose={action.busy ? undefined : onClose}>
      {children}
      <FailureNote failure={action.failure} />
      <div class="actions end">
        <Button busy={action.busy} onClick={onClose}>
          Go back
        </Button>
        <Button kind={kind} busy={action.busy} onClick={go}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
