import type { ComponentChildren } from "preact";
import { useAction } from "../state/use-action.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { FailureNote } from "./failure-note.tsx";

export interface ConfirmDialogProps {
  readonly title: string;
  /** What happens, in a sentence that lets the reader decide. */
  readonly children: ComponentChildren;
  /** The verb on the button. */
  readonly confirm: string;
  readonly danger?: boolean;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before what cannot be undone. */
export function ConfirmDialog({
  title,
  children,
  confirm,
  danger = true,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const action = useAction();
  const go = async (): Promise<void> => {
    if (await action.run(onConfirm)) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <FailureNote failure={action.failure} />
      <div class="actions end">
        <Button onClick={onClose}>Keep it</Button>
        <Button kind={danger ? "danger" : "primary"} busy={action.busy} onClick={go}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
