import { useConsole } from "../../state/console-context.ts";
import { DeleteDialog, PauseDialog } from "./ask-dialogs.tsx";
import { TestDrawer } from "./test-drawer.tsx";
import type { Asked } from "./webhook-menu.tsx";

export interface AskedActionProps {
  readonly asked: Asked;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** What the menu of a row has opened: a question, or the result of a test. */
export function AskedAction({ asked, onChanged, onClose }: AskedActionProps) {
  const { api } = useConsole();
  const { id, target_url } = asked.webhook;
  const path = `console/api/webhooks/${encodeURIComponent(id)}`;
  if (asked.what === "tested")
    return <TestDrawer attempt={asked.attempt} targetUrl={target_url} onClose={onClose} />;
  if (asked.what === "pause")
    return (
      <PauseDialog
        onConfirm={async () => void (await api.post(`${path}/pause`))}
        onDone={onChanged}
        onClose={onClose}
      />
    );
  return (
    <DeleteDialog
      url={target_url}
      onConfirm={async () => void (await api.delete(path))}
      onDone={onChanged}
      onClose={onClose}
    />
  );
}
